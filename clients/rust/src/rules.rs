//! Resolved rule sets, as far as bots ask for them.
use serde_json::{Map, Value};

use crate::{Card, DealKind, Suit, Trump, wire};

/// Strength of jokers and wizards; every rank is below.
pub const ABOVE_ALL_RANKS: u32 = 20;

const SPANISH_ORDER: [u32; 10] = [2, 4, 5, 6, 7, 11, 12, 13, 3, 14];

/// Coefficients of a score. With d = |tricks - bid|:
///
/// - made a bid: `a + b * bid + q * bid * bid`; made zero: `z0 + zc * size`
/// - missed: `m0 + mt * tricks + md * d + mq * d * d`; a seat without a bid gets its tricks
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[allow(missing_docs)] // the formula says what they are
pub struct Scoring {
    pub a: i32,
    pub b: i32,
    pub q: i32,
    pub z0: i32,
    pub zc: i32,
    pub m0: i32,
    pub mt: i32,
    pub md: i32,
    pub mq: i32,
}

/// A rule set for a number of players. The words are those of the parameter reference.
#[derive(Clone, Debug, Default, PartialEq)]
#[allow(missing_docs)] // the names are those of the parameter reference
pub struct Rules {
    pub preset: String,
    pub players: usize,
    pub hash: String,
    /// Every parameter, by name.
    pub parameters: Map<String, Value>,
    /// A card that is there twice stands twice.
    pub pack: Vec<Card>,
    pub plan_sizes: Vec<u32>,
    pub plan_kinds: Vec<DealKind>,
    pub plan_open_ended: bool,
    /// Where the scheme is of the common formula.
    pub scoring: Option<Scoring>,
    pub bid_mode: String,
    pub hook: bool,
    pub hook_min_cards: u32,
    pub no_bid_at_score: Option<u32>,
    pub forehead: String,
    pub first_leader: String,
    pub must_trump: bool,
    pub must_overtrump: bool,
    pub must_head: bool,
    pub joker_mode: String,
    pub joker_opposite_scope: String,
    pub duplicate_winner: String,
    pub trump_method: String,
    pub trump_sequence: Vec<Trump>,
    pub end: String,
    pub target_score: Option<u32>,
    pub overshoot: String,
    pub tie_policy: String,
    pub max_deals: Option<u32>,
}

impl Rules {
    /// The place of the card's rank in the rank order of the table, from 1; zero for
    /// jesters, [`ABOVE_ALL_RANKS`] for jokers and wizards.
    pub fn strength(&self, card: Card) -> u32 {
        if card.is_joker() || card.is_wizard() {
            return ABOVE_ALL_RANKS;
        }
        let rank = card.rank();
        if !self.pack.iter().any(|card| card.is_spanish()) {
            return rank.saturating_sub(1);
        }
        (1..).zip(SPANISH_ORDER).find(|&(_, of)| of == rank).map_or(0, |(place, _)| place)
    }

    /// Tells of wizards, of jesters, and of jokers where they are no suit.
    pub fn is_suitless(&self, card: Card) -> bool {
        card.is_wizard() || card.is_jester() || card.is_joker() && self.joker_mode == "high_low"
    }

    /// What the cards of a trick, in order of play, ask for.
    pub fn led_suit(&self, trick: &[Card]) -> Option<Suit> {
        let deciding = trick.iter().find(|card| card.is_wizard() || !self.is_suitless(**card))?;
        deciding.suit()
    }
}

impl From<wire::Rules> for Rules {
    fn from(wire: wire::Rules) -> Self {
        Rules {
            preset: wire.preset,
            players: wire.players as usize,
            hash: wire.hash,
            // A service that sends no JSON here has still told all that follows from it.
            parameters: serde_json::from_str(&wire.parameters).unwrap_or_default(),
            pack: wire.pack.into_iter().map(Card).collect(),
            plan_sizes: wire.plan_sizes,
            plan_kinds: wire.plan_kinds.into_iter().map(DealKind::from).collect(),
            plan_open_ended: wire.plan_open_ended,
            scoring: wire.scoring.map(Scoring::from),
            bid_mode: wire.bid_mode,
            hook: wire.hook,
            hook_min_cards: wire.hook_min_cards,
            no_bid_at_score: wire.no_bid_at_score,
            forehead: wire.forehead,
            first_leader: wire.first_leader,
            must_trump: wire.must_trump,
            must_overtrump: wire.must_overtrump,
            must_head: wire.must_head,
            joker_mode: wire.joker_mode,
            joker_opposite_scope: wire.joker_opposite_scope,
            duplicate_winner: wire.duplicate_winner,
            trump_method: wire.trump_method,
            trump_sequence: wire.trump_sequence.into_iter().map(Trump::from).collect(),
            end: wire.end,
            target_score: wire.target_score,
            overshoot: wire.overshoot,
            tie_policy: wire.tie_policy,
            max_deals: wire.max_deals,
        }
    }
}

impl From<wire::Scoring> for Scoring {
    fn from(wire: wire::Scoring) -> Self {
        let wire::Scoring { a, b, q, z0, zc, m0, mt, md, mq } = wire;
        Scoring { a, b, q, z0, zc, m0, mt, md, mq }
    }
}
