import { Card as WireCard } from "./generated/ohhell/v1/cards_pb.js";
import { Suit } from "./vocabulary.js";

/** The code of a card, 1..74; `NO_CARD` is never a card. */
export type Card = number;

export const NO_CARD: Card = 0;

export const CARD_CODES = 75;

/** Two characters by card code, as in `TH`, `X1`, `RS`; `--` for no card. */
const TEXT: readonly string[] = Array.from({ length: CARD_CODES }, (_, code) =>
  code === NO_CARD ? "--" : WireCard[code],
).map((name) => name.replace(/^(CARD)?_/, ""));

const CODE = new Map(TEXT.map((text, code) => [text, code] as const).slice(1));

export const isJoker = (card: Card): boolean => TEXT[card]?.[0] === "X";
export const isWizard = (card: Card): boolean => TEXT[card]?.[0] === "W";
export const isJester = (card: Card): boolean => TEXT[card]?.[0] === "F";
export const isCard = (card: Card): boolean =>
  Number.isInteger(card) && card > NO_CARD && card < CARD_CODES;

const SUIT: readonly Suit[] = TEXT.map((text, card) => {
  if (isJoker(card)) return Suit.JOKERS;
  return isCard(card) ? Math.max(0, "?CDHS".indexOf(text[1])) : Suit.UNSPECIFIED;
});

const RANK: readonly number[] = TEXT.map((text, card) => {
  if (SUIT[card] === Suit.UNSPECIFIED || SUIT[card] === Suit.JOKERS) return 0;
  const court = "SCR".indexOf(text[0]);
  return court >= 0 ? 11 + court : 2 + "23456789TJQKA".indexOf(text[0]);
});

/** `Suit.JOKERS` for jokers, `Suit.UNSPECIFIED` for wizards and jesters. */
export const suit = (card: Card): Suit => SUIT[card] ?? Suit.UNSPECIFIED;

/**
 * 2..14 (ace), Spanish court cards 11..13, zero for special cards. What beats what depends
 * on the rank order of the table: see `Rules.strength`.
 */
export const rank = (card: Card): number => RANK[card] ?? 0;

/** Two characters, as in `TH`. */
export const cardText = (card: Card): string => TEXT[card] ?? `card ${card}`;

/** Cards separated by single spaces. */
export const cardsText = (cards: readonly Card[]): string =>
  cards.map(cardText).join(" ");

/** Inverse of `cardText`; throws a RangeError for any other text. */
export function cardCode(text: string): Card {
  const code = CODE.get(text);
  if (code === undefined) {
    throw new RangeError(
      `'${text}' is no card: a rank (2..9 T J Q K A, or S C R in the Spanish pack)` +
        " and a suit (C D H S), or X1 X2, W1..W4, F1..F4",
    );
  }
  return code;
}

/** Inverse of `cardsText`. */
export const cardsFrom = (text: string): Card[] =>
  text.split(/\s+/).filter(Boolean).map(cardCode);
