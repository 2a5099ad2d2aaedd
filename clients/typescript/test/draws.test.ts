import assert from "node:assert/strict";
import { test } from "node:test";
import { Draws } from "../src/index.js";

const draws = () =>
  new Draws(
    Uint8Array.from({ length: 16 }, (_, i) => i),
    7,
  );
const many = <T>(count: number, draw: () => T) => Array.from({ length: count }, draw);

test("draws are those of every language", () => {
  const words = draws();
  // The ninth word is of the second block.
  assert.deepEqual(
    many(9, () => words.word()),
    [
      2181344209, 4293064234, 2120141822, 3655235384, 3415355339, 1921381793,
      2666518093, 686753985, 2169966577,
    ],
  );
  const dice = draws();
  assert.deepEqual(
    many(10, () => dice.below(6)),
    [1, 4, 2, 2, 5, 5, 1, 3, 1, 2],
  );
  assert.equal(draws().random(), 0.5078837797012694);
  const items = many(8, () => 0).map((_, i) => i);
  draws().shuffle(items);
  assert.deepEqual(items, [0, 7, 5, 3, 6, 2, 4, 1]);
  assert.equal(draws().choice(["a", "b", "c", "d", "e", "f"]), "b");
});

test("nothing is drawn below nothing", () => {
  for (const m of [0, -1, 1.5, 2 ** 32 + 1]) {
    assert.throws(() => draws().below(m), RangeError);
  }
  assert.throws(() => draws().choice([]), RangeError);
});
