import {
  CARD_CODES,
  type Card,
  cardText,
  isJester,
  isJoker,
  isWizard,
  rank,
  suit,
} from "./cards.js";
import type { SeatAssigned, TimeControl } from "./generated/ohhell/v1/frames_pb.js";
import type {
  Rules as WireRules,
  Scoring as WireScoring,
} from "./generated/ohhell/v1/rules_pb.js";
import { type EndReason, Suit } from "./vocabulary.js";

/** Fields of a message without what belongs to the protobuf library. */
type Plain<T> = Omit<T, "$typeName" | "$unknown">;

const FRENCH_ORDER = [2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14];
const SPANISH_ORDER = [2, 4, 5, 6, 7, 11, 12, 13, 3, 14];

/** Strength of jokers and wizards; every rank is below, jesters have zero. */
export const ABOVE_ALL_RANKS = 20;

/**
 * Coefficients of a score. With d = |tricks - bid|: made a bid: a + b bid + q bid²; made
 * zero: z0 + zc size; missed: m0 + mt tricks + md d + mq d². A seat without a bid gets its
 * tricks.
 */
export type Scoring = Readonly<Plain<WireScoring>>;

/** Milliseconds; all zero where there is no clock. */
export type Clock = Readonly<Plain<TimeControl>>;

type RuleFields = Partial<Omit<Plain<WireRules>, "parameters">> & {
  readonly players: number;
};

/** A resolved rule set. The words are those of the parameter reference. */
export class Rules {
  readonly preset: string = "";
  readonly players: number = 0;
  readonly hash: string = "";
  readonly pack: readonly Card[] = [];
  readonly planSizes: readonly number[] = [];
  readonly planKinds: readonly number[] = [];
  readonly planOpenEnded: boolean = false;
  /** Absent where the scheme is not of the common formula. */
  readonly scoring?: Scoring;
  readonly bidMode: string = "turn";
  readonly hook: boolean = true;
  readonly hookMinCards: number = 1;
  readonly noBidAtScore?: number;
  readonly forehead: string = "none";
  readonly firstLeader: string = "eldest";
  readonly mustTrump: boolean = false;
  readonly mustOvertrump: boolean = false;
  readonly mustHead: boolean = false;
  readonly jokerMode: string = "none";
  readonly jokerOppositeScope: string = "deal";
  readonly duplicateWinner: string = "last";
  readonly trumpMethod: string = "turn_up";
  readonly trumpSequence: readonly number[] = [];
  readonly end: string = "all_deals";
  readonly targetScore?: number;
  readonly overshoot: string = "none";
  readonly tiePolicy: string = "shared";
  readonly maxDeals?: number;
  /** Every parameter under its name. */
  readonly parameters: Readonly<Record<string, unknown>>;
  #strength: readonly number[] | undefined;

  constructor(fields: RuleFields, parameters: Readonly<Record<string, unknown>> = {}) {
    Object.assign(this, fields);
    this.parameters = parameters;
  }

  static fromWire(wire: WireRules): Rules {
    const { $typeName, $unknown, parameters, ...fields } = wire;
    return new Rules(fields, parameters ? JSON.parse(parameters) : {});
  }

  /**
   * The place of the card's rank in the rank order of the table, from 1; zero for jesters,
   * `ABOVE_ALL_RANKS` for jokers and wizards.
   */
  strength(card: Card): number {
    this.#strength ??= this.#ranked();
    return this.#strength[card] ?? 0;
  }

  #ranked(): number[] {
    const spanish = this.pack.some(
      (card) => rank(card) > 0 && "SCR".includes(cardText(card)[0]),
    );
    const order = spanish ? SPANISH_ORDER : FRENCH_ORDER;
    return Array.from({ length: CARD_CODES }, (_, card) =>
      isJoker(card) || isWizard(card) ? ABOVE_ALL_RANKS : order.indexOf(rank(card)) + 1,
    );
  }

  /** Wizards and jesters, and jokers where they are no suit of their own. */
  isSuitless(card: Card): boolean {
    return (
      isWizard(card) ||
      isJester(card) ||
      (isJoker(card) && this.jokerMode === "high_low")
    );
  }

  /** What the cards of a trick, in order of play, ask for; `Suit.UNSPECIFIED` for no suit. */
  ledSuit(cards: readonly Card[]): Suit {
    for (const card of cards) {
      if (!this.isSuitless(card)) return suit(card);
      if (isWizard(card)) break;
    }
    return Suit.UNSPECIFIED;
  }
}

/** One seat of one match. `botSeed` is what its chance may depend on (16 bytes). */
export class Match {
  readonly seat: number;
  readonly rules: Rules;
  readonly botSeed: Uint8Array;
  readonly table: string;
  readonly players: readonly string[];
  readonly firstDealer: number;
  /** Absent where there is no clock. */
  readonly clock?: Clock;
  readonly amendments: boolean;

  constructor(assigned: Partial<Omit<Plain<SeatAssigned>, "rules">>, rules: Rules) {
    this.seat = assigned.seat ?? 0;
    this.rules = rules;
    this.botSeed = assigned.botSeed ?? new Uint8Array(16);
    this.table = assigned.table ?? "";
    this.players = assigned.players ?? [];
    this.firstDealer = assigned.firstDealer ?? 0;
    if (assigned.clock) this.clock = assigned.clock;
    this.amendments = assigned.amendments ?? false;
  }

  /** Number of players. */
  get seats(): number {
    return this.rules.players;
  }
}

/** How a match ended for a seat: final totals by seat, and the seats that won. */
export interface Result {
  readonly match: Match;
  readonly reason: EndReason;
  readonly scores: readonly number[];
  readonly winners: readonly number[];
}
