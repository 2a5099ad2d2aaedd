//! What every library must do, by the scripts of frames; and what is this one's own.
mod derived;
mod scripts;
mod service;
mod settings;
mod streams;
mod tls;

use crate::{Bot, Card, View, lowest_first};

/// Plays without chance or judgement.
struct Lowest;

impl Bot for Lowest {
    fn bid(&mut self, view: &View) -> u32 {
        *view.legal_bids.iter().min().expect("some bid is legal")
    }

    fn play(&mut self, view: &View) -> Card {
        lowest_first(&view.legal_cards, view)[0]
    }
}

/// Panics whenever it is asked for a bid.
struct Fails;

impl Bot for Fails {
    fn bid(&mut self, _view: &View) -> u32 {
        panic!("the script says so")
    }

    fn play(&mut self, view: &View) -> Card {
        Lowest.play(view)
    }
}
