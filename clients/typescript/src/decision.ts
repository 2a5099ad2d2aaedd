import { create } from "@bufbuild/protobuf";
import type { Bot } from "./bot.js";
import { isCard, isJoker, NO_CARD } from "./cards.js";
import { BadAnswer } from "./errors.js";
import {
  type Answer,
  type ClientFrame,
  ClientFrameSchema,
} from "./generated/ohhell/v1/frames_pb.js";
import type { View } from "./view.js";
import { Ask, CallRule, Claim, JokerCall, Suit } from "./vocabulary.js";

const NOTE_BYTES = 256;
const NUMBERS = 2 ** 32;

type Action = Pick<Answer, "action" | "call">;

/** Puts the question to the bot; throws what the bot throws. */
export function ask(bot: Bot, view: View): unknown {
  switch (view.ask) {
    case Ask.BID:
      return bot.bid(view);
    case Ask.PLAY:
      return view.legalCards.length > 0 ? bot.play(view) : NO_CARD;
    case Ask.TRUMP:
      return bot.chooseTrump(view);
    case Ask.BID_CARDS:
      return bot.lay(view);
    default:
      throw new BadAnswer(
        `a question of a kind that this library does not know: ${view.ask}`,
      );
  }
}

/** BadAnswer if the answer is of the wrong shape; legality is for the table. */
export function answerFrame(view: View, answer: unknown): ClientFrame {
  const { action, call } = actionOf(view, answer);
  const { handle, seq, attempt } = view;
  return create(ClientFrameSchema, {
    body: { case: "answer", value: { handle, seq, attempt, action, call } },
  });
}

function actionOf(view: View, answer: unknown): Action {
  const call = JokerCall.UNSPECIFIED;
  switch (view.ask) {
    case Ask.BID: {
      const value = number(answer, "bid", "a whole number", NUMBERS);
      return { action: { case: "bid", value }, call };
    }
    case Ask.PLAY:
      return played(view, answer);
    case Ask.TRUMP: {
      const value = number(answer, "chooseTrump", "a suit", Suit.JOKERS + 1);
      return { action: { case: "trump", value }, call };
    }
    default:
      return { action: { case: "bidCards", value: laid(answer) }, call };
  }
}

function played(view: View, answer: unknown): Action {
  const both = has(answer, "card") ? answer : { card: answer };
  const value = both.card === NO_CARD ? NO_CARD : card(both.card, "play");
  let call = has(both, "call")
    ? number(both.call, "play", "a call", JokerCall.LOW + 1)
    : JokerCall.UNSPECIFIED;
  if (!call && view.call === CallRule.REQUIRED && isJoker(value)) call = JokerCall.LOW;
  return { action: { case: "card", value }, call };
}

function laid(answer: unknown) {
  const cards = has(answer, "cards") ? answer.cards : answer;
  const claim = has(answer, "claim") ? answer.claim : Claim.UNSPECIFIED;
  if (!Array.isArray(cards)) {
    throw new BadAnswer(`lay returned ${shown(answer)}, which is not three cards`);
  }
  return {
    $typeName: "ohhell.v1.BidCards" as const,
    cards: cards.map((one) => card(one, "lay")),
    claim: number(claim, "lay", "a claim", Claim.REVEAL + 1),
  };
}

function has<K extends string>(value: unknown, key: K): value is Record<K, unknown> {
  return typeof value === "object" && value !== null && key in value;
}

function number(answer: unknown, method: string, wanted: string, below: number) {
  if (Number.isInteger(answer) && Number(answer) >= 0 && Number(answer) < below) {
    return Number(answer);
  }
  throw new BadAnswer(`${method} returned ${shown(answer)}, which is not ${wanted}`);
}

function card(answer: unknown, method: string): number {
  if (typeof answer === "number" && isCard(answer)) return answer;
  throw new BadAnswer(`${method} returned ${shown(answer)}, which is not a card`);
}

const shown = (answer: unknown): string =>
  typeof answer === "string" ? `'${answer}'` : String(answer);

/** An answer without an action: the table sees at once that the bot has none. */
export function noAnswer(view: View, why: string): ClientFrame {
  const { handle, seq, attempt } = view;
  return create(ClientFrameSchema, {
    body: { case: "answer", value: { handle, seq, attempt, note: cut(why) } },
  });
}

/** What the wire allows, whole characters only. */
export function cut(note: string): string {
  const bytes = Buffer.from(note);
  let end = Math.min(bytes.length, NOTE_BYTES);
  while (end < bytes.length && (bytes[end] & 0xc0) === 0x80) end--;
  return bytes.toString("utf8", 0, end);
}
