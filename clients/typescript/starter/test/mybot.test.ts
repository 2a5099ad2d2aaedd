import assert from "node:assert/strict";
import { test } from "node:test";
import { BidState, cardsFrom, cardText, Match, Rules, Trump, View } from "ohhell-bot";
import { MyBot } from "../src/mybot.js";

/** Seat 0 of three, with hearts as trump. */
function position(hand: string, more: Parameters<typeof View.of>[0] = {}): View {
  const match = new Match({ seat: 0 }, new Rules({ players: 3 }));
  return View.of({ trump: Trump.HEARTS, hand: cardsFrom(hand), ...more }, match);
}

test("it bids what is likely, or the nearest that is legal", () => {
  const hand = "AS KD 9H 2H 3C";
  const bid = (legalBids: number[]) => new MyBot().bid(position(hand, { legalBids }));
  assert.equal(bid([0, 1, 2, 3, 4, 5]), 3);
  assert.equal(bid([0, 1, 2, 5]), 2);
});

test("it takes a trick cheaply while it needs one, and then ducks", () => {
  const hand = "2S TS QS AS";
  for (const [bid, card] of [
    [1, "TS"],
    [0, "2S"],
  ] as const) {
    const view = position(hand, {
      legalCards: cardsFrom(hand),
      plays: cardsFrom("9S"),
      leaders: [2],
      tricks: [0, 0, 0],
      bids: [bid, 0, 0],
      bidStates: [BidState.OPEN, BidState.OPEN, BidState.OPEN],
    });
    assert.equal(cardText(new MyBot().play(view)), card);
  }
});
