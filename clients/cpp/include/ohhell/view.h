#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "ohhell/cards.h"
#include "ohhell/draws.h"
#include "ohhell/match.h"

namespace ohhell {

/// A card on the table and the seat that played it.
struct Played {
    int seat = 0;
    Card card;

    bool operator==(const Played&) const = default;
};

/// What one seat may know now, and what it is asked. Lists "by seat" have an item for every
/// seat. The members have the names of the fields of the message View.
class View {
  public:
    std::shared_ptr<const Match> match;  ///< what does not change during the match

    std::uint32_t handle = 0;
    std::uint32_t seq = 0;
    int seat = 0;
    Ask ask = Ask::nothing;
    int attempt = 0;
    int limit_ms = 0;
    int bank_ms = 0;
    Phase phase = Phase::not_begun;
    int deal = 0;
    DealKind deal_kind = DealKind::none;
    int dealer = 0;
    int size = 0;
    Suit trump = Suit::unknown_trump;  ///< unknown, a suit, or Suit::no_trump
    Card upcard;
    bool forehead = false;
    bool extra = false;

    std::vector<Card> hand;
    std::vector<int> legal_bids;
    std::vector<Card> legal_cards;
    std::vector<Suit> legal_suits;
    std::vector<int> to_act;
    std::vector<int> amend_bids;

    std::vector<std::optional<int>> bids;  ///< by seat; none where not made, or not open
    std::vector<BidState> bid_states;      ///< by seat
    std::vector<int> tricks;               ///< by seat
    std::vector<int> scores;               ///< by seat

    std::vector<Card> plays;
    std::vector<int> leaders;
    std::vector<JokerCall> joker_calls;
    CallRule call = CallRule::unspecified;
    std::vector<Card> shown_cards;
    std::vector<int> shown_counts;
    std::vector<ShownWhy> shown_why;
    std::vector<Card> bid_cards;
    Claim claim = Claim::none;
    std::optional<int> premium_seat;
    Claim premium_kind = Claim::none;

    /// Chance that depends on match->bot_seed and seq alone.
    Draws& rng() const;

    /// The open bid of this seat.
    std::optional<int> my_bid() const;

    /// The tricks that this seat has taken in this deal.
    int my_tricks() const;

    /// The tricks still missing to the own bid, below zero beyond it; zero where the seat
    /// has no open bid.
    int needed() const;

    /// The tricks not taken yet in this deal, the one on the table included.
    int tricks_left() const;

    /// The cards of the unfinished trick in order of play; empty for the leader.
    std::vector<Played> trick() const;

    /// The suit to be followed in the unfinished trick; Suit::none where there is none.
    Suit led_suit() const;

    /// How many seats play to this trick, or bid in this deal, before this one.
    int position() const;

    /// Whether this seat's card completes the trick.
    bool plays_last() const;

    /// The cards whose place is not known, by code: in other hands, or not dealt. That is
    /// the pack without the own hand and bid cards, everything played, the upcard, and what
    /// others show.
    std::vector<Card> unseen() const;

    /// The card that wins the unfinished trick as it lies; none for the leader.
    std::optional<Played> winner_so_far() const;

    /// Whether a card played now would be the winning one so far. The call counts only for
    /// a joker that needs one; a fixed value is known anyway.
    bool wins(Card card, JokerCall joker_call = JokerCall::none) const;

    /// One paragraph for a log: enough to know the position again.
    std::string text() const;

  private:
    struct Standing {
        std::size_t place;
        int power;
    };

    std::vector<Card> trick_cards() const;
    std::optional<Standing> best() const;
    int power(Card card, Suit led, JokerCall joker_call) const;
    bool beats(Card card, int own, Card best_card, int best_power) const;

    mutable std::optional<Draws> draws_;
};

}  // namespace ohhell
