//! Lets a program play in the Oh Hell service: implement [`Bot`], call [`run`].
//!
//! ```no_run
//! use ohhell_bot::{Bot, Card, View};
//!
//! struct Cautious;
//!
//! impl Bot for Cautious {
//!     fn bid(&mut self, view: &View) -> u32 {
//!         view.legal_bids[0]
//!     }
//!
//!     fn play(&mut self, view: &View) -> Card {
//!         view.legal_cards[0]
//!     }
//! }
//!
//! fn main() -> std::process::ExitCode {
//!     ohhell_bot::run(|| Cautious)
//! }
//! ```
//!
//! [`run`] plays every table that the service has for the bot over one stream, connects
//! again after an interruption, and logs to standard error. Settings come from flags and
//! from `OHHELL_BOT_*` variables; README.md lists them.
#![forbid(unsafe_code)]
#![warn(missing_docs)]

mod bot;
mod card;
mod decision;
mod draws;
mod encryption;
mod error;
mod game;
mod line;
mod outbox;
mod process;
mod rules;
mod running;
mod seats;
mod serving;
mod settings;
mod stream;
mod thinking;
mod trick;
mod view;
mod vocabulary;

#[cfg(test)]
mod tests;

/// The messages of the protocol, for programs that speak it themselves; made by
/// `clients/generate.py`.
#[allow(missing_docs, clippy::all, clippy::pedantic)]
pub mod wire {
    include!("generated/ohhell/v1/ohhell.v1.rs");
}

pub use bot::{Bot, Laid, lowest_first};
pub use card::{Card, NotACard, cards, parse_cards};
pub use draws::Draws;
pub use error::Error;
pub use game::{Clock, Match, MatchResult};
pub use process::{run, serve};
pub use rules::{ABOVE_ALL_RANKS, Rules, Scoring};
pub use running::connect;
pub use serving::listen;
pub use settings::{OnError, Settings};
pub use trick::Played;
pub use view::View;
pub use vocabulary::{
    Ask, BidState, CallRule, Claim, DealKind, EndReason, JokerCall, Phase, ShownWhy, Suit, Trump,
};
