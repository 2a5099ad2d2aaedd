/** The closed sets of the wire, with the numbers they have there. */

export { Suit, Trump } from "./generated/ohhell/v1/cards_pb.js";
export { EndReason } from "./generated/ohhell/v1/frames_pb.js";
export {
  Ask,
  BidState,
  CallRule,
  Claim,
  DealKind,
  JokerCall,
  Phase,
  ShownWhy,
} from "./generated/ohhell/v1/match_pb.js";
