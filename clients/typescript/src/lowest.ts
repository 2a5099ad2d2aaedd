/** Plays without chance or judgement: the lowest legal bid, the lowest legal card. */
import { Bot, lowestFirst, run, type View } from "./index.js";

/** Everything else is what the library does by itself. */
class Lowest extends Bot {
  bid(view: View): number {
    return Math.min(...view.legalBids);
  }

  play(view: View): number {
    return lowestFirst(view.legalCards, view)[0];
  }
}

await run(() => new Lowest());
