import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { JokerCall, type Played, View } from "../src/index.js";
import { Logger } from "../src/logger.js";
import { type Seat, Seats } from "../src/seats.js";
import { BOTS, FOLDER, type Script, scripts, serverFrames } from "./scripts.js";

const CALLS = [JokerCall.UNSPECIFIED, JokerCall.HIGH, JokerCall.LOW];

const pair = (played: Played | null) => played && [played.seat, played.card];

const derived = (script: string, view: View) => ({
  script,
  seq: view.seq,
  handle: view.handle,
  trick: view.trick.map(pair),
  led_suit: view.ledSuit,
  position: view.position,
  plays_last: view.playsLast,
  winner_so_far: pair(view.winnerSoFar),
  my_bid: view.myBid,
  my_tricks: view.myTricks,
  needed: view.needed,
  tricks_left: view.tricksLeft,
  unseen: view.unseen,
  strength: view.hand.map((card) => view.match.rules.strength(card)),
  wins: view.hand.map((card) => CALLS.map((call) => view.wins(card, call))),
  words: [view.rng.word(), view.rng.word()],
});

function viewsOf(script: Script): View[] {
  const seats = new Seats(BOTS.lowest, new Logger("error"));
  const handles = new Map<number, Seat>();
  const views: View[] = [];
  for (const { body } of script.steps.flatMap((step) =>
    serverFrames(step.service ?? []),
  )) {
    if (body.case === "seat") {
      const seat = seats.assign(body.value);
      assert(seat);
      handles.set(body.value.handle, seat);
    }
    if (body.case === "prompt") {
      const seat = handles.get(body.value.handle);
      assert(seat);
      views.push(new View(body.value, seat.match));
    }
  }
  return views;
}

test("views say what they say in every language", () => {
  const kept = readFileSync(new URL("derived.jsonl", FOLDER), "utf8")
    .trim()
    .split("\n");
  const said = scripts
    .filter(({ name }) => name.startsWith("match-"))
    .flatMap((script) => viewsOf(script).map((view) => derived(script.name, view)));
  const order = (a: { script: string }, b: { script: string }) =>
    a.script < b.script ? -1 : Number(a.script > b.script);
  const lines: ReturnType<typeof derived>[] = kept.map((line) => JSON.parse(line));
  assert.deepEqual(said.sort(order), lines.sort(order));
});
