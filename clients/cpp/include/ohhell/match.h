#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "ohhell/cards.h"

namespace ohhell {

/// The coefficients of a score. With d = |tricks - bid|:
///
///     made a bid: a + b*bid + q*bid*bid; made zero: z0 + zc*size
///     missed: m0 + mt*tricks + md*d + mq*d*d; a seat without a bid gets its tricks
struct Scoring {
    int a = 0, b = 0, q = 0, z0 = 0, zc = 0, m0 = 0, mt = 0, md = 0, mq = 0;
};

/// A resolved rule set. The words are those of the parameter reference.
struct Rules {
    std::string preset;
    int players = 0;
    std::string hash;
    std::string parameters;      ///< every parameter by name, as JSON
    std::vector<Card> pack;      ///< by code; a card that is there twice, twice
    bool spanish_ranks = false;  ///< ranks go 2 4 5 6 7 S C R 3 A
    std::vector<int> plan_sizes;
    std::vector<DealKind> plan_kinds;
    bool plan_open_ended = false;
    std::optional<Scoring> scoring;  ///< where the scheme is of the common formula
    std::string bid_mode;
    bool hook = false;
    int hook_min_cards = 0;
    std::optional<int> no_bid_at_score;
    std::string forehead;
    std::string first_leader;
    bool must_trump = false;
    bool must_overtrump = false;
    bool must_head = false;
    std::string joker_mode;
    std::string joker_opposite_scope;
    std::string duplicate_winner;
    std::string trump_method;
    std::vector<Suit> trump_sequence;
    std::string end;
    std::optional<int> target_score;
    std::string overshoot;
    std::string tie_policy;
    std::optional<int> max_deals;

    /// Strength of jokers and wizards; every rank is below.
    static constexpr int above_all_ranks = 20;

    /// The place of the card's rank in the rank order of the table, from 1; zero for
    /// jesters.
    int strength(Card card) const;

    /// Wizards, jesters, and jokers where they are no suit.
    bool is_suitless(Card card) const;

    /// What the cards of a trick, in order of play, ask for; Suit::none for no suit.
    Suit led_suit(const std::vector<Card>& trick) const;
};

/// Milliseconds; all zero where there is no clock.
struct Clock {
    int per_decision_ms = 0, bank_ms = 0, increment_ms = 0, grace_ms = 0;
};

/// One seat of one match.
struct Match {
    int seat = 0;
    std::shared_ptr<const Rules> rules;
    std::string bot_seed;  ///< what a bot's chance may depend on: 16 bytes
    std::string table;
    std::vector<std::string> players;
    int first_dealer = 0;
    Clock clock;
    bool amendments = false;

    /// The number of players.
    int seats() const { return rules->players; }
};

/// How a match ended for a seat.
struct Result {
    std::shared_ptr<const Match> match;
    EndReason reason = EndReason::unspecified;
    std::vector<int> scores;   ///< final totals, by seat
    std::vector<int> winners;  ///< seats
};

}  // namespace ohhell
