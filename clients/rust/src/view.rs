//! What one seat may know now, and what it is asked.
use std::{collections::HashMap, fmt, sync::Arc};

use crate::{
    Ask, BidState, CallRule, Card, Claim, DealKind, Draws, JokerCall, Match, Phase, ShownWhy, Suit,
    Trump, wire,
};

/// A prompt. Lists "by seat" have an item for every seat. The fields have the names of the
/// message View; `game` is what does not change during the match.
#[derive(Clone, Debug)]
#[allow(missing_docs)] // the names are those of the message View
pub struct View {
    pub game: Arc<Match>,

    pub seq: u32,
    pub ask: Ask,
    pub attempt: u32,
    pub limit_ms: u32,
    pub bank_ms: u32,
    pub phase: Phase,
    pub deal: u32,
    pub deal_kind: DealKind,
    pub dealer: usize,
    pub size: u32,
    pub trump: Trump,
    pub upcard: Option<Card>,
    pub forehead: bool,
    pub extra: bool,

    pub hand: Vec<Card>,
    pub legal_bids: Vec<u32>,
    pub legal_cards: Vec<Card>,
    pub legal_suits: Vec<Suit>,
    pub to_act: Vec<usize>,
    pub amend_bids: Vec<u32>,

    /// By seat; `None` where not made, or not open to this one.
    pub bids: Vec<Option<u32>>,
    pub bid_states: Vec<BidState>,
    pub tricks: Vec<u32>,
    pub scores: Vec<i32>,

    pub plays: Vec<Card>,
    pub leaders: Vec<usize>,
    pub joker_calls: Vec<JokerCall>,
    pub call: CallRule,
    pub shown_cards: Vec<Card>,
    pub shown_counts: Vec<u32>,
    pub shown_why: Vec<ShownWhy>,
    pub bid_cards: Vec<Card>,
    pub claim: Claim,
    pub premium_seat: Option<usize>,
    pub premium_kind: Claim,
}

/// A view of nothing, for tests to fill in.
impl Default for View {
    fn default() -> Self {
        View::new(wire::View::default(), Arc::default())
    }
}

fn all<From, To: std::convert::From<From>>(wire: Vec<From>) -> Vec<To> {
    wire.into_iter().map(To::from).collect()
}

fn seats(wire: Vec<u32>) -> Vec<usize> {
    wire.into_iter().map(|seat| seat as usize).collect()
}

impl View {
    pub(crate) fn new(wire: wire::View, game: Arc<Match>) -> Self {
        let bid_states: Vec<BidState> = all(wire.bid_states);
        let bids = wire.bids.into_iter().enumerate();
        let is_open = |seat| bid_states.get(seat) == Some(&BidState::Open);
        View {
            game,
            seq: wire.seq,
            ask: wire.ask.into(),
            attempt: wire.attempt,
            limit_ms: wire.limit_ms,
            bank_ms: wire.bank_ms,
            phase: wire.phase.into(),
            deal: wire.deal,
            deal_kind: wire.deal_kind.into(),
            dealer: wire.dealer as usize,
            size: wire.size,
            trump: wire.trump.into(),
            upcard: (wire.upcard != 0).then_some(Card(wire.upcard)),
            forehead: wire.forehead,
            extra: wire.extra,
            hand: all(wire.hand),
            legal_bids: wire.legal_bids,
            legal_cards: all(wire.legal_cards),
            legal_suits: all(wire.legal_suits),
            to_act: seats(wire.to_act),
            amend_bids: wire.amend_bids,
            bids: bids.map(|(seat, bid)| is_open(seat).then_some(bid)).collect(),
            bid_states,
            tricks: wire.tricks,
            scores: wire.scores,
            plays: all(wire.plays),
            leaders: seats(wire.leaders),
            joker_calls: all(wire.joker_calls),
            call: wire.call.into(),
            shown_cards: all(wire.shown_cards),
            shown_counts: wire.shown_counts,
            shown_why: all(wire.shown_why),
            bid_cards: all(wire.bid_cards),
            claim: wire.claim.into(),
            premium_seat: wire.premium_seat.map(|seat| seat as usize),
            premium_kind: wire.premium_kind.into(),
        }
    }

    /// Chance that depends on the seat's seed and the decision alone: from its beginning
    /// with each call.
    pub fn rng(&self) -> Draws {
        Draws::new(&self.game.bot_seed, self.seq)
    }

    /// The own bid, where there is one and it is open.
    pub fn my_bid(&self) -> Option<u32> {
        self.bids.get(self.game.seat).copied().flatten()
    }

    /// Tricks that this seat has taken in this deal.
    pub fn my_tricks(&self) -> u32 {
        self.tricks.get(self.game.seat).copied().unwrap_or(0)
    }

    /// Tricks still missing to the own bid, below zero beyond it; zero without a bid.
    pub fn needed(&self) -> i32 {
        self.my_bid().map_or(0, |bid| bid as i32 - self.my_tricks() as i32)
    }

    /// Tricks not taken yet in this deal, the one on the table included.
    pub fn tricks_left(&self) -> u32 {
        self.size.saturating_sub(self.tricks.iter().sum())
    }

    /// Whether a card is of the trump suit.
    pub fn is_trump(&self, card: Card) -> bool {
        card.suit().is_some_and(|suit| self.trump == Trump::Suit(suit))
    }

    /// Seats that play to this trick, or bid in this deal, before this one.
    pub fn position(&self) -> usize {
        if self.ask == Ask::Play {
            return self.trick_cards().len();
        }
        let seats = self.game.seats();
        (self.game.seat + 2 * seats - self.dealer - 1) % seats
    }

    /// The cards whose place is not known, by code: in other hands, or not dealt. That is
    /// the pack without the own hand and bid cards, everything played, the upcard, and what
    /// others show.
    pub fn unseen(&self) -> Vec<Card> {
        let mut seen: HashMap<Card, usize> = HashMap::new();
        let lists = [&self.hand, &self.plays, &self.bid_cards, &self.shown_cards];
        for &card in lists.into_iter().flatten().chain(&self.upcard) {
            *seen.entry(card).or_default() += 1;
        }
        let mut unseen = self.game.rules.pack.clone();
        unseen.retain(|card| match seen.get_mut(card) {
            Some(times @ 1..) => {
                *times -= 1;
                false
            }
            _ => true,
        });
        unseen
    }
}

fn words(cards: &[Card]) -> String {
    cards.iter().map(Card::to_string).collect::<Vec<_>>().join(" ")
}

/// One paragraph for a log: enough to know the position again.
impl fmt::Display for View {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let upcard = self.upcard.map_or("--".into(), |card| card.to_string());
        write!(out, "table {} seat {}; ", self.game.table, self.game.seat)?;
        write!(out, "decision {} attempt {}: {:?}; ", self.seq, self.attempt, self.ask)?;
        write!(out, "deal {} of {} cards, dealer {}, ", self.deal, self.size, self.dealer)?;
        write!(out, "trump {}, upcard {upcard}; hand {}; bids", self.trump, words(&self.hand))?;
        for bid in &self.bids {
            match bid {
                Some(bid) => write!(out, " {bid}")?,
                None => out.write_str(" -")?,
            }
        }
        write!(out, "; tricks {:?}", self.tricks)?;
        match self.ask {
            Ask::Bid => write!(out, "; legal {:?}", self.legal_bids),
            Ask::Play => {
                let trick = words(self.trick_cards());
                write!(out, "; trick {trick}; legal {}", words(&self.legal_cards))
            }
            Ask::Trump => write!(out, "; legal {:?}", self.legal_suits),
            _ => Ok(()),
        }
    }
}
