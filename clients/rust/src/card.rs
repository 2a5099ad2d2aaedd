//! Cards: numbers on the wire, two characters for people.
use std::{fmt, str::FromStr};

use crate::Suit;

/// A card by its code, 1..74. Codes of later revisions are kept as they come.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Card(pub(crate) i32);

const SUITS: &str = "CDHS";

macro_rules! name_cards {
    ($($name:ident)*) => {
        /// Every card by the name that it has in the protocol.
        pub mod cards {
            use super::Card;
            name_cards!(@constants 1; $($name)*);
        }
        const NAMES: &[&str] = &[$(stringify!($name)),*];
    };
    (@constants $code:expr; $name:ident $($rest:ident)*) => {
        #[allow(missing_docs)]
        pub const $name: Card = Card($code);
        name_cards!(@constants $code + 1; $($rest)*);
    };
    (@constants $code:expr;) => {};
}

name_cards! {
    CARD_2C CARD_3C CARD_4C CARD_5C CARD_6C CARD_7C CARD_8C CARD_9C CARD_TC CARD_JC CARD_QC
    CARD_KC CARD_AC
    CARD_2D CARD_3D CARD_4D CARD_5D CARD_6D CARD_7D CARD_8D CARD_9D CARD_TD CARD_JD CARD_QD
    CARD_KD CARD_AD
    CARD_2H CARD_3H CARD_4H CARD_5H CARD_6H CARD_7H CARD_8H CARD_9H CARD_TH CARD_JH CARD_QH
    CARD_KH CARD_AH
    CARD_2S CARD_3S CARD_4S CARD_5S CARD_6S CARD_7S CARD_8S CARD_9S CARD_TS CARD_JS CARD_QS
    CARD_KS CARD_AS
    CARD_X1 CARD_X2 CARD_W1 CARD_W2 CARD_W3 CARD_W4 CARD_F1 CARD_F2 CARD_F3 CARD_F4
    CARD_SC CARD_CC CARD_RC CARD_SD CARD_CD CARD_RD CARD_SH CARD_CH CARD_RH CARD_SS CARD_CS
    CARD_RS
}

/// The inverse of [`Card::code`]; whether there is such a card is not checked.
impl From<i32> for Card {
    fn from(code: i32) -> Self {
        Card(code)
    }
}

impl Card {
    /// The card's number on the wire.
    pub fn code(self) -> i32 {
        self.0
    }

    /// All cards that there are, by code.
    pub fn all() -> impl Iterator<Item = Card> {
        (1..).take(NAMES.len()).map(Card)
    }

    /// Jokers have one of their own, wizards and jesters have none.
    pub fn suit(self) -> Option<Suit> {
        if self.is_joker() {
            return Some(Suit::Jokers);
        }
        let suit = self.text()?.chars().nth(1)?;
        [Suit::Clubs, Suit::Diamonds, Suit::Hearts, Suit::Spades].get(SUITS.find(suit)?).copied()
    }

    /// 2..14 (ace), 11..13 for Spanish court cards, 0 for special cards. What beats what
    /// depends on the rank order of the table: see [`Rules::strength`](crate::Rules).
    pub fn rank(self) -> u32 {
        match self.0 {
            1..=52 => (self.0 as u32 - 1) % 13 + 2,
            63..=74 => (self.0 as u32 - 63) % 3 + 11,
            _ => 0,
        }
    }

    /// Whether it is one of the two jokers.
    pub fn is_joker(self) -> bool {
        matches!(self, cards::CARD_X1 | cards::CARD_X2)
    }

    /// Whether it is one of the four wizards.
    pub fn is_wizard(self) -> bool {
        (cards::CARD_W1..=cards::CARD_W4).contains(&self)
    }

    /// Whether it is one of the four jesters.
    pub fn is_jester(self) -> bool {
        (cards::CARD_F1..=cards::CARD_F4).contains(&self)
    }

    pub(crate) fn is_spanish(self) -> bool {
        (cards::CARD_SC..=cards::CARD_RS).contains(&self)
    }

    fn text(self) -> Option<&'static str> {
        let place = usize::try_from(self.0).ok()?.checked_sub(1)?;
        NAMES.get(place)?.strip_prefix("CARD_")
    }
}

/// Two characters, as in TH, X1, RS.
impl fmt::Display for Card {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.text() {
            Some(text) => out.pad(text),
            None => write!(out, "card {}", self.0),
        }
    }
}

impl fmt::Debug for Card {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, out)
    }
}

/// A text that stands for no card.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotACard(String);

impl fmt::Display for NotACard {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            out,
            "{:?} is no card: a rank (2..9 T J Q K A, or S C R in the Spanish pack) and a suit \
             (C D H S), or X1 X2, W1..W4, F1..F4",
            self.0
        )
    }
}

impl std::error::Error for NotACard {}

impl FromStr for Card {
    type Err = NotACard;

    fn from_str(text: &str) -> Result<Card, NotACard> {
        Card::all().find(|card| card.text() == Some(text)).ok_or_else(|| NotACard(text.into()))
    }
}

/// Reads cards separated by spaces.
pub fn parse_cards(text: &str) -> Result<Vec<Card>, NotACard> {
    text.split_whitespace().map(str::parse).collect()
}

#[cfg(test)]
mod names {
    use super::*;
    use crate::wire;

    const RANKS: &str = "23456789TJQKA";
    const COURT: &str = "SCR";

    #[test]
    fn every_card_has_the_name_and_the_number_of_the_protocol() {
        for card in Card::all() {
            let known = wire::Card::try_from(card.code()).expect("a card of the protocol");
            assert_eq!(known.as_str_name(), format!("CARD_{card}"));
            assert_eq!(card.to_string().parse(), Ok(card));
        }
        assert!(wire::Card::try_from(Card::all().count() as i32 + 1).is_err());
        assert_eq!(cards::CARD_RS, Card(74));
    }

    #[test]
    fn suits_and_ranks_are_those_of_the_names() {
        for card in Card::all() {
            let text = card.to_string();
            let (rank, suit) = (&text[..1], &text[1..]);
            let place = RANKS.find(rank).map(|at| at + 2).or(COURT.find(rank).map(|at| at + 11));
            let special = SUITS.find(suit).is_none();
            assert_eq!(card.rank() as usize, if special { 0 } else { place.unwrap() }, "{card}");
            assert_eq!(card.suit().is_none(), card.is_wizard() || card.is_jester(), "{card}");
        }
        assert_eq!(cards::CARD_CS.suit(), Some(Suit::Spades));
        assert_eq!(cards::CARD_SC.suit(), Some(Suit::Clubs));
    }

    #[test]
    fn what_is_no_card_is_named() {
        let error = parse_cards("QH 1X").unwrap_err();
        assert!(error.to_string().starts_with("\"1X\" is no card"));
        assert_eq!(Card(99).to_string(), "card 99");
    }
}
