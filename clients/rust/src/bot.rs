//! What a bot is: the one trait that its program implements.
use std::cmp::Reverse;

use crate::{Card, Claim, JokerCall, Match, MatchResult, Suit, View};

/// A bid made with three cards, and what is promised with them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Laid {
    /// Three cards of the hand.
    pub cards: Vec<Card>,
    /// The promise.
    pub claim: Claim,
}

/// Answers the prompts of one seat. A seat that may not see its own card is played by the
/// library: there is nothing to choose.
///
/// One seat is never asked two things at the same time. A method that panics has no answer;
/// the table is told so at once.
pub trait Bot: Send + 'static {
    /// Gives one of `view.legal_bids`.
    fn bid(&mut self, view: &View) -> u32;

    /// Gives one of `view.legal_cards`.
    fn play(&mut self, view: &View) -> Card;

    /// Gives one of `view.legal_suits`: the longest suit, the first of equals.
    fn choose_trump(&mut self, view: &View) -> Suit {
        longest_suit(view)
    }

    /// Bids with three cards of `view.hand`: the lowest, without a promise.
    fn lay(&mut self, view: &View) -> Laid {
        let mut cards = lowest_first(&view.hand, view);
        cards.truncate(3);
        Laid { cards, claim: Claim::Nothing }
    }

    /// Calls a joker that needs it, after [`Bot::play`] has chosen it: low.
    fn call_joker(&mut self, _view: &View, _joker: Card) -> JokerCall {
        JokerCall::Low
    }

    /// Is told of a match before its first prompt.
    fn match_start(&mut self, _game: &Match) {}

    /// Is told how a match ended, also when it was cancelled or voided.
    fn match_end(&mut self, _result: &MatchResult) {}
}

/// Sorts by rank order of the table, suits aside, then by code. Jesters come first, jokers
/// and wizards last.
pub fn lowest_first(cards: &[Card], view: &View) -> Vec<Card> {
    let mut sorted = cards.to_vec();
    sorted.sort_by_key(|&card| (view.game.rules.strength(card), card));
    sorted
}

fn longest_suit(view: &View) -> Suit {
    let held = |suit| view.hand.iter().filter(|card| card.suit() == Some(suit)).count();
    *view
        .legal_suits
        .iter()
        .max_by_key(|&&suit| (held(suit), Reverse(suit)))
        .expect("a trump suit is asked with the suits to choose from")
}
