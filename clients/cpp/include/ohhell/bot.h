#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "ohhell/match.h"
#include "ohhell/view.h"

namespace ohhell {

/// A bid made with three cards, and what is promised with them.
struct Laid {
    std::vector<Card> cards;
    Claim claim = Claim::none;
};

/// Answers the prompts of one seat. A seat that may not see its own card is played by the
/// library: there is nothing to choose. One bot is never asked two things at the same time.
class Bot {
  public:
    Bot() = default;
    Bot(const Bot&) = delete;
    Bot& operator=(const Bot&) = delete;
    virtual ~Bot() = default;

    /// One of view.legal_bids.
    virtual int bid(const View& view) = 0;

    /// One of view.legal_cards.
    virtual Card play(const View& view) = 0;

    /// One of view.legal_suits; the longest suit, the first of equals, unless overridden.
    virtual Suit choose_trump(const View& view);

    /// Three cards of view.hand; the lowest ones, without a promise, unless overridden.
    virtual Laid lay(const View& view);

    /// How the joker that play() has chosen is called; low unless overridden.
    virtual JokerCall call_joker(const View& view, Card joker);

    /// Comes before the first prompt of a match.
    virtual void match_start(const Match& match);

    /// Comes also when the match was cancelled or voided.
    virtual void match_end(const Result& result);
};

/// Makes the bot of one match.
using MakeBot = std::function<std::unique_ptr<Bot>()>;

/// The cards by rank order of the table, suits aside, then by code. Jesters come first,
/// jokers and wizards last.
std::vector<Card> lowest_first(std::vector<Card> cards, const View& view);

}  // namespace ohhell
