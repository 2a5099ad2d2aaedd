/** A first bot: count likely tricks, take them while they are needed, then duck. */
import { Bot, type Card, rank, suit, type View } from "ohhell-bot";

const KING = 13;

export class MyBot extends Bot {
  /** The legal bid nearest to the number of aces, kings and high trumps. */
  bid(view: View): number {
    const likely = view.hand.filter((card) => isStrong(view, card)).length;
    const distance = (bid: number) => Math.abs(bid - likely);
    return [...view.legalBids].sort((a, b) => distance(a) - distance(b))[0];
  }

  /** Every card in `legalCards` is allowed; the question is which one is wise. */
  play(view: View): Card {
    const cards = [...view.legalCards].sort(
      (a, b) => strength(view, a) - strength(view, b),
    );
    const winners = cards.filter((card) => view.wins(card));
    const losers = cards.filter((card) => !view.wins(card));
    if (view.needed > 0 && winners.length > 0) {
      // Behind others as cheaply as possible; a lead has to stand up to them.
      return view.trick.length > 0 ? winners[0] : winners[winners.length - 1];
    }
    // Throw the most dangerous card that does not win, or waste little.
    return view.needed <= 0 && losers.length > 0 ? losers[losers.length - 1] : cards[0];
  }
}

function isStrong(view: View, card: Card): boolean {
  return rank(card) >= (isTrump(view, card) ? 9 : KING);
}

/** A trump is above every card of another suit. */
function strength(view: View, card: Card): number {
  return view.match.rules.strength(card) + (isTrump(view, card) ? 20 : 0);
}

function isTrump(view: View, card: Card): boolean {
  return Number(suit(card)) === view.trump;
}
