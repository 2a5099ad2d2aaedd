//! What a seat knows for a whole match.
use std::sync::Arc;

use crate::{EndReason, Rules, wire};

/// Milliseconds; all zero where there is no clock.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[allow(missing_docs)] // the names say it
pub struct Clock {
    pub per_decision_ms: u32,
    pub bank_ms: u32,
    pub increment_ms: u32,
    pub grace_ms: u32,
}

/// One seat of one match.
#[derive(Clone, Debug, Default)]
pub struct Match {
    /// The own seat.
    pub seat: usize,
    /// The rules.
    pub rules: Arc<Rules>,
    /// What a bot's chance may depend on: 16 bytes.
    pub bot_seed: Vec<u8>,
    /// The table.
    pub table: String,
    /// Names by seat, as far as they are told.
    pub players: Vec<String>,
    /// The seat that deals first.
    pub first_dealer: usize,
    /// Time.
    pub clock: Clock,
    /// Whether bids may be amended.
    pub amendments: bool,
}

impl Match {
    /// Number of players.
    pub fn seats(&self) -> usize {
        self.rules.players
    }

    pub(crate) fn from_wire(wire: wire::SeatAssigned, rules: Arc<Rules>) -> Self {
        let clock = wire.clock.unwrap_or_default();
        Match {
            seat: wire.seat as usize,
            rules,
            bot_seed: wire.bot_seed,
            table: wire.table,
            players: wire.players,
            first_dealer: wire.first_dealer as usize,
            clock: Clock {
                per_decision_ms: clock.per_decision_ms,
                bank_ms: clock.bank_ms,
                increment_ms: clock.increment_ms,
                grace_ms: clock.grace_ms,
            },
            amendments: wire.amendments,
        }
    }
}

/// How a match ended for a seat.
#[derive(Clone, Debug)]
pub struct MatchResult {
    /// The match.
    pub game: Arc<Match>,
    /// Why it ended.
    pub reason: EndReason,
    /// Final totals, by seat.
    pub scores: Vec<i32>,
    /// The seats that won.
    pub winners: Vec<usize>,
}
