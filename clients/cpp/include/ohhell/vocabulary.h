#pragma once

#include <string>

/// The words of the wire. Each enumerator has the number that it has there; a number of a
/// later revision is kept as it is.
namespace ohhell {

/// A suit of cards, or a trump: the numbers are the same.
enum class Suit : int {
    none = 0,
    clubs = 1,
    diamonds = 2,
    hearts = 3,
    spades = 4,
    jokers = 5,
    no_trump = 6,  ///< the deal is played without trump
    unknown_trump = 0
};

/// What a prompt asks for.
enum class Ask : int { nothing = 0, bid = 1, play = 2, trump = 3, bid_cards = 4 };

/// Where a match stands.
enum class Phase : int {
    not_begun = 0,
    trump_choice = 1,
    bidding = 2,
    playing = 3,
    over = 4
};

/// The kind of one deal.
enum class DealKind : int {
    none = 0,
    normal = 1,
    no_trump = 2,
    misere_trump = 3,
    misere_no_trump = 4,
    guess_trump = 5,
    blind = 6,
    blind_in_order = 7
};

/// What is known of a seat's bid. A seat with `no_part` scores one for each trick; `misere`
/// counts as a bid of zero.
enum class BidState : int {
    none = 0,
    not_yet = 1,
    hidden = 2,
    open = 3,
    no_part = 4,
    misere = 5
};

/// What a joker is called.
enum class JokerCall : int { none = 0, high = 1, low = 2 };

/// What a joker played now needs: only `required` takes a call.
enum class CallRule : int {
    unspecified = 0,
    none = 1,
    required = 2,
    fixed_high = 3,
    fixed_low = 4
};

/// What a seat promises with its bid cards.
enum class Claim : int { none = 0, declare = 1, reveal = 2 };

/// Why cards that are normally hidden are open.
enum class ShownWhy : int {
    not_shown = 0,
    forehead = 1,
    bids_in = 2,
    declare = 3,
    reveal = 4,
    dealer_last_card = 5
};

/// Why a match ended.
enum class EndReason : int {
    unspecified = 0,
    played = 1,
    cancelled = 2,
    voided = 3,
    left = 4
};

/// The word for a suit or trump; a number where there is none.
std::string name_of(Suit suit);

/// The word for a question; a number where there is none.
std::string name_of(Ask ask);

}  // namespace ohhell
