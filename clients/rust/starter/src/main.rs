//! A first bot: count likely tricks, take them while they are needed, then duck.
use std::process::ExitCode;

use ohhell_bot::{Bot, Card, JokerCall, View, lowest_first};

const KING: u32 = 13;

struct MyBot;

impl Bot for MyBot {
    /// The legal bid nearest to the number of aces, kings and high trumps.
    fn bid(&mut self, view: &View) -> u32 {
        let strong = view.hand.iter().filter(|&&card| is_strong(view, card));
        let likely = strong.count() as u32;
        let legal = view.legal_bids.iter().copied();
        let nearest = legal.min_by_key(|bid| bid.abs_diff(likely));
        nearest.expect("some bid is legal")
    }

    /// Every card in `legal_cards` is allowed; the question is which one is wise.
    fn play(&mut self, view: &View) -> Card {
        let mut cards = lowest_first(&view.legal_cards, view);
        cards.sort_by_key(|&card| strength(view, card));
        let wins = |card: &&Card| view.wins(**card, JokerCall::NoCall);
        let best = match (view.needed() > 0, view.trick().is_empty()) {
            (true, true) => cards.iter().rfind(wins),
            (true, false) => cards.iter().find(wins), // as cheaply as possible
            // The most dangerous card that does not win.
            (false, _) => cards.iter().rfind(|card| !wins(card)),
        };
        *best.unwrap_or(&cards[0])
    }
}

fn is_strong(view: &View, card: Card) -> bool {
    card.rank() >= if view.is_trump(card) { 9 } else { KING }
}

/// A trump is above every card of another suit.
fn strength(view: &View, card: Card) -> u32 {
    let above = if view.is_trump(card) { 20 } else { 0 };
    above + view.game.rules.strength(card)
}

fn main() -> ExitCode {
    ohhell_bot::run(|| MyBot)
}

#[cfg(test)]
mod tests;
