//! Plays without chance or judgement: the lowest legal bid, the lowest legal card.
use std::process::ExitCode;

use ohhell_bot::{Bot, Card, View, lowest_first};

/// Leaves everything else to what the library does by itself.
struct Lowest;

impl Bot for Lowest {
    fn bid(&mut self, view: &View) -> u32 {
        *view.legal_bids.iter().min().expect("some bid is legal")
    }

    fn play(&mut self, view: &View) -> Card {
        lowest_first(&view.legal_cards, view)[0]
    }
}

fn main() -> ExitCode {
    ohhell_bot::run(|| Lowest)
}
