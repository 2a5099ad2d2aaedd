//! The words of the protocol. A number that a later revision adds stays what it is.
use std::fmt;

macro_rules! words {
    ($(#[$about:meta])* $kind:ident { $($(#[$doc:meta])* $word:ident = $number:literal),* $(,)? }) => {
        $(#[$about])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum $kind {
            $($(#[$doc])* $word,)*
            /// What a later revision of the protocol knows.
            Unknown(i32),
        }

        impl From<i32> for $kind {
            fn from(number: i32) -> Self {
                match number {
                    $($number => Self::$word,)*
                    other => Self::Unknown(other),
                }
            }
        }

        impl From<$kind> for i32 {
            fn from(word: $kind) -> i32 {
                match word {
                    $($kind::$word => $number,)*
                    $kind::Unknown(number) => number,
                }
            }
        }
    };
}

words! {
    /// A suit of cards.
    Suit {
        /// Clubs.
        Clubs = 1,
        /// Diamonds.
        Diamonds = 2,
        /// Hearts.
        Hearts = 3,
        /// Spades.
        Spades = 4,
        /// The suit of the jokers, where they are one.
        Jokers = 5,
    }
}

/// Trump of a deal, as far as the seat may know it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Trump {
    /// It is not decided, or not shown yet.
    #[default]
    NotKnown,
    /// A suit.
    Suit(Suit),
    /// The deal is played without trump.
    None,
}

impl From<i32> for Trump {
    fn from(number: i32) -> Self {
        match number {
            0 => Trump::NotKnown,
            6 => Trump::None,
            suit => Trump::Suit(Suit::from(suit)),
        }
    }
}

words! {
    /// What a prompt asks for.
    Ask {
        /// Nothing: the view is for information.
        Nothing = 0,
        /// A bid.
        Bid = 1,
        /// A card.
        Play = 2,
        /// A trump suit.
        Trump = 3,
        /// Three cards as a bid.
        BidCards = 4,
    }
}

words! {
    /// Where a match stands.
    Phase {
        /// It has not begun.
        NotBegun = 0,
        /// The dealer names the trump suit.
        TrumpChoice = 1,
        /// Bids are made.
        Bidding = 2,
        /// Tricks are played.
        Playing = 3,
        /// It is over.
        Over = 4,
    }
}

words! {
    /// The kind of one deal.
    DealKind {
        /// No deal yet.
        NoDeal = 0,
        /// An ordinary deal.
        Normal = 1,
        /// No trump by decree.
        NoTrump = 2,
        /// Nobody bids, everybody counts as having bid zero.
        MisereTrump = 3,
        /// The same without trump.
        MisereNoTrump = 4,
        /// The upcard is shown when all bids are in.
        GuessTrump = 5,
        /// Hands and upcard are shown when all bids are in.
        Blind = 6,
        /// The same, and hands are played in the order in which they were dealt.
        BlindInOrder = 7,
    }
}

words! {
    /// What is known of one seat's bid.
    BidState {
        /// It was not made.
        NotYet = 1,
        /// It was made, and is not open to the seat.
        Hidden = 2,
        /// It is open.
        Open = 3,
        /// The seat does not bid, and scores one for each trick.
        NoPart = 4,
        /// Nobody bids, and the seat counts as having bid zero.
        Misere = 5,
    }
}

words! {
    /// What a joker is called.
    JokerCall {
        /// Nothing.
        NoCall = 0,
        /// It wins the trick.
        High = 1,
        /// It loses the trick.
        Low = 2,
    }
}

words! {
    /// What a joker played now needs: only `Required` takes a call.
    CallRule {
        /// No card is asked.
        NotAsked = 0,
        /// No call may be made.
        None = 1,
        /// It must be called high or low.
        Required = 2,
        /// It is high.
        FixedHigh = 3,
        /// It is low.
        FixedLow = 4,
    }
}

words! {
    /// What a seat promises with its bid cards.
    Claim {
        /// Nothing.
        Nothing = 0,
        /// To lay its bid cards open.
        Declare = 1,
        /// To lay its bid cards and its hand open.
        Reveal = 2,
    }
}

words! {
    /// Why cards that are normally hidden are open.
    ShownWhy {
        /// None of the seat's are.
        NotShown = 0,
        /// In a forehead deal everybody sees every hand but their own.
        Forehead = 1,
        /// The bids of a blind deal are in.
        BidsIn = 2,
        /// The seat declared.
        Declare = 3,
        /// The seat revealed.
        Reveal = 4,
        /// The dealer's last card decides the trump.
        DealerLastCard = 5,
    }
}

words! {
    /// Why a match ended.
    EndReason {
        /// It was played to the end.
        Played = 1,
        /// It was cancelled.
        Cancelled = 2,
        /// It was voided and will be played again.
        Voided = 3,
        /// The bot left its seat.
        Left = 4,
    }
}

impl fmt::Display for Suit {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}", format!("{self:?}").to_lowercase())
    }
}

impl fmt::Display for Trump {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Trump::NotKnown => out.write_str("not known"),
            Trump::Suit(suit) => suit.fmt(out),
            Trump::None => out.write_str("none"),
        }
    }
}
