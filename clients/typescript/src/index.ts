/** Write a bot for the Oh Hell service: a class with `bid` and `play`, and `run`. */
export { Bot, type Lay, lowestFirst, type Play } from "./bot.js";
export {
  type Card,
  cardCode,
  cardsFrom,
  cardsText,
  cardText,
  isJester,
  isJoker,
  isWizard,
  NO_CARD,
  rank,
  suit,
} from "./cards.js";
export { Draws } from "./draws.js";
export {
  BotFault,
  BotLibraryError,
  GivenUp,
  Refused,
  SettingsError,
} from "./errors.js";
export {
  ABOVE_ALL_RANKS,
  type Clock,
  Match,
  type Result,
  Rules,
  type Scoring,
} from "./match.js";
export { connect, listen, type Running, run, serve } from "./running.js";
export { defaults, type Log, readSettings, type Settings } from "./settings.js";
export { type Played, View } from "./view.js";
export {
  Ask,
  BidState,
  CallRule,
  Claim,
  DealKind,
  EndReason,
  JokerCall,
  Phase,
  ShownWhy,
  Suit,
  Trump,
} from "./vocabulary.js";
