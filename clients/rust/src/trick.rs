//! The unfinished trick: what it asks for, and who takes it as it lies.
use crate::{CallRule, Card, JokerCall, Suit, View};

/// A card on the table and the seat that played it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Played {
    /// The seat.
    pub seat: usize,
    /// The card.
    pub card: Card,
}

/// What a card is worth in one trick; what has none cannot win.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Power {
    None,
    OfLedSuit(u32),
    OfTrump(u32),
    Outright,
}

impl View {
    /// The cards of the unfinished trick in order of play; empty for the leader.
    pub fn trick(&self) -> Vec<Played> {
        let Some(&leader) = self.leaders.get(self.finished_tricks()) else {
            return Vec::new();
        };
        let seats = self.game.seats();
        let cards = self.trick_cards().iter().enumerate();
        cards.map(|(i, &card)| Played { seat: (leader + i) % seats, card }).collect()
    }

    fn finished_tricks(&self) -> usize {
        self.plays.len().checked_div(self.game.seats()).unwrap_or(0)
    }

    pub(crate) fn trick_cards(&self) -> &[Card] {
        &self.plays[self.finished_tricks() * self.game.seats()..]
    }

    /// The suit to be followed in the unfinished trick, if there is one.
    pub fn led_suit(&self) -> Option<Suit> {
        self.game.rules.led_suit(self.trick_cards())
    }

    /// Whether this seat's card completes the trick.
    pub fn plays_last(&self) -> bool {
        self.trick_cards().len() + 1 == self.game.seats()
    }

    /// The card that wins the unfinished trick as it lies; `None` for the leader.
    pub fn winner_so_far(&self) -> Option<Played> {
        self.best().map(|(place, _)| self.trick()[place])
    }

    /// Whether a card played now would be the winning one so far. The call counts only for
    /// a joker that needs one; a fixed value is known anyway.
    pub fn wins(&self, card: Card, call: JokerCall) -> bool {
        let Some((place, best)) = self.best() else {
            return true;
        };
        let call = match self.call {
            CallRule::FixedHigh if card.is_joker() => JokerCall::High,
            CallRule::FixedLow if card.is_joker() => JokerCall::Low,
            _ => call,
        };
        let mut trick = self.trick_cards().to_vec();
        let winner = trick[place];
        trick.push(card);
        let led = self.led_suit().or_else(|| self.game.rules.led_suit(&trick));
        self.beats((card, self.power(card, led, call)), (winner, best))
    }

    /// Place in the trick and power of the card that wins so far.
    fn best(&self) -> Option<(usize, Power)> {
        let (trick, led) = (self.trick_cards(), self.led_suit());
        let jokers = trick.iter().filter(|card| card.is_joker()).count();
        let mut calls = self.joker_calls[self.joker_calls.len().saturating_sub(jokers)..].iter();
        let mut best: Option<(usize, Power)> = None;
        for (place, &card) in trick.iter().enumerate() {
            let call = if card.is_joker() { calls.next() } else { None };
            let power = self.power(card, led, call.copied().unwrap_or(JokerCall::NoCall));
            if best.is_none_or(|(at, high)| self.beats((card, power), (trick[at], high))) {
                best = Some((place, power));
            }
        }
        best
    }

    fn power(&self, card: Card, led: Option<Suit>, call: JokerCall) -> Power {
        let rules = &self.game.rules;
        if rules.is_suitless(card) {
            let wins = card.is_wizard() || call == JokerCall::High;
            return if wins { Power::Outright } else { Power::None };
        }
        if self.is_trump(card) {
            return Power::OfTrump(rules.strength(card));
        }
        if card.suit() == led { Power::OfLedSuit(rules.strength(card)) } else { Power::None }
    }

    fn beats(&self, (card, power): (Card, Power), (best, high): (Card, Power)) -> bool {
        if power == high && card == best && power != Power::None {
            return self.game.rules.duplicate_winner == "last";
        }
        power > high
    }
}
