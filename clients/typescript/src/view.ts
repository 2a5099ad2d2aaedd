import { create, type MessageInitShape } from "@bufbuild/protobuf";
import {
  type Card,
  cardsText,
  cardText,
  isJoker,
  isWizard,
  NO_CARD,
  suit,
} from "./cards.js";
import { Draws } from "./draws.js";
import { ViewSchema, type View as WireView } from "./generated/ohhell/v1/match_pb.js";
import type { Match } from "./match.js";
import { Ask, BidState, CallRule, JokerCall, type Suit, Trump } from "./vocabulary.js";

// Powers of cards within one trick, far enough apart for every strength to fit between.
const OF_LED_SUIT = 100;
const OF_TRUMP = 200;
const OUTRIGHT = 300;

/** A card on the table and the seat that played it. */
export interface Played {
  readonly seat: number;
  readonly card: Card;
}

type Fields = Omit<
  WireView,
  "$typeName" | "$unknown" | "bids" | "premiumSeat" | "seat" | "trump"
>;
type Frozen<T> = {
  readonly [K in keyof T]: T[K] extends (infer U)[] ? readonly U[] : T[K];
};

/** The fields of the message `View`, which every view has under the same names. */
export interface View extends Frozen<Fields> {}

/**
 * What one seat may know now, and what it is asked. Lists "by seat" have an item for every
 * seat.
 */
// biome-ignore lint/suspicious/noUnsafeDeclarationMerging: the fields are copied at once
export class View {
  readonly match: Match;
  readonly seat: number;
  /** A suit, `Trump.NONE`, or `Trump.UNSPECIFIED` where it is not known yet. */
  readonly trump: Trump;
  /** Amounts by seat; null for a bid not made, or not open to this seat. */
  readonly bids: readonly (number | null)[];
  /** Null where nobody has it. */
  readonly premiumSeat: number | null;
  #rng: Draws | undefined;
  #best: { place: number; power: number } | undefined;

  constructor(message: WireView, match: Match) {
    const { $typeName, $unknown, ...fields } = message;
    Object.assign(this, fields);
    this.match = match;
    this.seat = match.seat;
    this.trump = message.trump;
    this.bids = message.bids.map((bid, seat) =>
      message.bidStates[seat] === BidState.OPEN ? bid : null,
    );
    this.premiumSeat = message.premiumSeat ?? null;
  }

  /** A position made by hand, as tests need them. */
  static of(fields: MessageInitShape<typeof ViewSchema>, match: Match): View {
    return new View(create(ViewSchema, fields), match);
  }

  /** Chance that depends on `match.botSeed` and `seq` alone. */
  get rng(): Draws {
    this.#rng ??= new Draws(this.match.botSeed, this.seq);
    return this.#rng;
  }

  get myBid(): number | null {
    return this.bids[this.match.seat];
  }

  /** Tricks this seat has taken in this deal. */
  get myTricks(): number {
    return this.tricks[this.match.seat];
  }

  /**
   * Tricks still missing to the own bid, below zero beyond it. Zero where the seat has no
   * open bid.
   */
  get needed(): number {
    return this.myBid === null ? 0 : this.myBid - this.myTricks;
  }

  /** Tricks not taken yet in this deal, the one on the table included. */
  get tricksLeft(): number {
    return this.tricks.reduce((left, taken) => left - taken, this.size);
  }

  get #trickCards(): readonly Card[] {
    const seats = this.match.seats;
    return this.plays.slice(Math.floor(this.plays.length / seats) * seats);
  }

  /** Cards of the unfinished trick in order of play; empty for the leader. */
  get trick(): Played[] {
    const seats = this.match.seats;
    const leader = this.leaders[Math.floor(this.plays.length / seats)];
    return this.#trickCards.map((card, i) => ({ seat: (leader + i) % seats, card }));
  }

  /** Suit to be followed in the unfinished trick; `Suit.UNSPECIFIED` where there is none. */
  get ledSuit(): Suit {
    return this.match.rules.ledSuit(this.#trickCards);
  }

  /** Seats that play to this trick, or bid in this deal, before this one. */
  get position(): number {
    if (this.ask === Ask.PLAY) return this.#trickCards.length;
    const seats = this.match.seats;
    return (this.match.seat - this.dealer - 1 + 2 * seats) % seats;
  }

  /** Whether this seat's card completes the trick. */
  get playsLast(): boolean {
    return this.#trickCards.length === this.match.seats - 1;
  }

  /**
   * Cards whose place is not known, by code: in other hands, or not dealt. The pack without
   * the own hand and bid cards, everything played, the upcard, and what others show.
   */
  get unseen(): Card[] {
    const seen = new Map<Card, number>();
    const known = [
      this.hand,
      this.plays,
      this.bidCards,
      this.shownCards,
      [this.upcard],
    ];
    for (const card of known.flat()) seen.set(card, (seen.get(card) ?? 0) + 1);
    return this.match.rules.pack.filter((card) => {
      const left = seen.get(card) ?? 0;
      seen.set(card, left - 1);
      return left <= 0;
    });
  }

  /** The card that wins the unfinished trick as it lies; null for the leader. */
  get winnerSoFar(): Played | null {
    return this.trick[this.#tableBest().place] ?? null;
  }

  /**
   * Whether a card played now would be the winning one so far. `call` counts only for a
   * joker that needs one; a fixed value is known anyway.
   */
  wins(card: Card, call: JokerCall = JokerCall.UNSPECIFIED): boolean {
    const trick = this.#trickCards;
    if (trick.length === 0) return true;
    const rules = this.match.rules;
    const led = this.ledSuit || rules.ledSuit([...trick, card]);
    const { place, power } = this.#tableBest();
    return this.#beats(
      card,
      this.#power(card, led, this.#fixed(call)),
      trick[place],
      power,
    );
  }

  #fixed(call: JokerCall): JokerCall {
    if (this.call === CallRule.FIXED_HIGH) return JokerCall.HIGH;
    return this.call === CallRule.FIXED_LOW ? JokerCall.LOW : call;
  }

  /** Place in the trick and power of the card that wins so far, or -1 and -1. */
  #tableBest(): { place: number; power: number } {
    if (this.#best) return this.#best;
    const trick = this.#trickCards;
    const jokers = trick.filter(isJoker).length;
    const calls = this.jokerCalls.slice(this.jokerCalls.length - jokers);
    let best = { place: -1, power: -1 };
    trick.forEach((card, place) => {
      const call = isJoker(card) ? calls.shift() : JokerCall.UNSPECIFIED;
      const power = this.#power(card, this.ledSuit, call ?? JokerCall.UNSPECIFIED);
      if (best.place < 0 || this.#beats(card, power, trick[best.place], best.power)) {
        best = { place, power };
      }
    });
    this.#best = best;
    return best;
  }

  #power(card: Card, led: Suit, call: JokerCall): number {
    const rules = this.match.rules;
    if (rules.isSuitless(card)) {
      return isWizard(card) || call === JokerCall.HIGH ? OUTRIGHT : 0;
    }
    if (Number(suit(card)) === this.trump) return OF_TRUMP + rules.strength(card);
    return suit(card) === led ? OF_LED_SUIT + rules.strength(card) : 0;
  }

  #beats(card: Card, power: number, best: Card, bestPower: number): boolean {
    if (power === bestPower && card === best && power > 0) {
      return this.match.rules.duplicateWinner === "last";
    }
    return power > bestPower;
  }

  /** One paragraph for a log: enough to know the position again. */
  toString(): string {
    const bids = this.bids.map((bid) => bid ?? "-").join(" ");
    const upcard = this.upcard === NO_CARD ? "none" : cardText(this.upcard);
    const parts = [
      `table ${this.match.table || "?"} seat ${this.match.seat}`,
      `decision ${this.seq} attempt ${this.attempt}: ${Ask[this.ask] ?? this.ask}`,
      `deal ${this.deal} of ${this.size} cards, dealer ${this.dealer}`,
      `trump ${Trump[this.trump] ?? this.trump}, upcard ${upcard}`,
      `hand ${cardsText(this.hand) || "none"}`,
      `bids ${bids} tricks ${this.tricks.join(" ")}`,
    ];
    if (this.ask === Ask.BID) parts.push(`legal ${this.legalBids.join(" ")}`);
    if (this.ask === Ask.TRUMP) parts.push(`legal ${this.legalSuits.join(" ")}`);
    if (this.ask === Ask.PLAY) {
      parts.push(`trick ${cardsText(this.#trickCards) || "empty"}`);
      parts.push(`legal ${cardsText(this.legalCards) || "the hidden card"}`);
    }
    return parts.join("; ");
  }
}
