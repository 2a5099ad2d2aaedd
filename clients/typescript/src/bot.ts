import { type Card, suit } from "./cards.js";
import type { Match, Result } from "./match.js";
import type { View } from "./view.js";
import type { Claim, JokerCall, Suit } from "./vocabulary.js";

const BID_CARDS = 3;

/** A card together with the call of a joker; a plain card does for all others. */
export interface Play {
  readonly card: Card;
  readonly call: JokerCall;
}

/** Three bid cards and what is promised with them. */
export interface Lay {
  readonly cards: readonly Card[];
  readonly claim: Claim;
}

type Now<T> = T | Promise<T>;

/**
 * Answers the prompts of one seat, at once or with a promise. A seat that may not see its
 * own card is played by the library: there is nothing to choose.
 */
export abstract class Bot {
  /** One of `view.legalBids`. */
  abstract bid(view: View): Now<number>;

  /** One of `view.legalCards`. A joker that needs a call is called low unless it says so. */
  abstract play(view: View): Now<Card | Play>;

  /** One of `view.legalSuits`; here the longest suit, the first of equals. */
  chooseTrump(view: View): Now<Suit> {
    const held = (one: Suit) => view.hand.filter((card) => suit(card) === one).length;
    const [best] = [...view.legalSuits].sort((a, b) => held(b) - held(a) || a - b);
    return best;
  }

  /** Three cards of `view.hand` as a bid; here the three lowest, no promise. */
  lay(view: View): Now<readonly Card[] | Lay> {
    return lowestFirst(view.hand, view).slice(0, BID_CARDS);
  }

  /** Comes once, before the first prompt of a match. */
  matchStart(_match: Match): void {}

  /** Comes once, after the last; also when a match is cancelled or voided. */
  matchEnd(_result: Result): void {}
}

/**
 * By rank order of the table, suits aside, then by code. Jesters come first, jokers and
 * wizards last.
 */
export function lowestFirst(cards: readonly Card[], view: View): Card[] {
  const rules = view.match.rules;
  return [...cards].sort((a, b) => rules.strength(a) - rules.strength(b) || a - b);
}
