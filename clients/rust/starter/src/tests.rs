use std::sync::Arc;

use ohhell_bot::{Bot, Match, Rules, Suit, Trump, View, parse_cards};

use crate::MyBot;

/// Seat 0's of three, with hearts as trump and nothing bid yet.
fn position(hand: &str) -> View {
    let rules = Arc::new(Rules { players: 3, ..Rules::default() });
    View {
        game: Arc::new(Match { rules, ..Match::default() }),
        trump: Trump::Suit(Suit::Hearts),
        hand: parse_cards(hand).unwrap(),
        bids: vec![None; 3],
        ..View::default()
    }
}

#[test]
fn it_bids_what_is_likely_or_the_nearest_that_is_legal() {
    let mut view = position("AS KD 9H 2H 3C");
    view.legal_bids = vec![0, 1, 2, 3, 4, 5];
    assert_eq!(MyBot.bid(&view), 3);
    view.legal_bids = vec![0, 1, 2, 5];
    assert_eq!(MyBot.bid(&view), 2);
}

#[test]
fn it_takes_a_trick_cheaply_while_it_needs_one_and_then_ducks() {
    let mut view = position("2S TS QS AS");
    view.legal_cards = view.hand.clone();
    view.plays = parse_cards("9S").unwrap();
    view.leaders = vec![2];
    view.tricks = vec![0, 0, 0];
    for (bid, wanted) in [(1, "TS"), (0, "2S")] {
        view.bids = vec![Some(bid), Some(0), Some(0)];
        assert_eq!(MyBot.play(&view).to_string(), wanted, "with a bid of {bid}");
    }
}
