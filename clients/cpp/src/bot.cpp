#include "ohhell/bot.h"

#include <algorithm>
#include <utility>

namespace ohhell {
namespace {

constexpr std::size_t bid_cards = 3;

}  // namespace

Suit Bot::choose_trump(const View& view) {
    const auto held = [&](Suit suit) {
        return std::count_if(view.hand.begin(), view.hand.end(),
                             [&](Card card) { return card.suit() == suit; });
    };
    const auto longer = [&](Suit a, Suit b) {
        return std::pair{-held(a), a} < std::pair{-held(b), b};
    };
    return *std::min_element(view.legal_suits.begin(), view.legal_suits.end(), longer);
}

Laid Bot::lay(const View& view) {
    Laid laid{.cards = lowest_first(view.hand, view)};
    laid.cards.resize(std::min(laid.cards.size(), bid_cards));
    return laid;
}

JokerCall Bot::call_joker(const View&, Card) { return JokerCall::low; }
void Bot::match_start(const Match&) {}
void Bot::match_end(const Result&) {}

std::vector<Card> lowest_first(std::vector<Card> cards, const View& view) {
    const Rules& rules = *view.match->rules;
    std::sort(cards.begin(), cards.end(), [&](Card a, Card b) {
        return std::pair{rules.strength(a), a} < std::pair{rules.strength(b), b};
    });
    return cards;
}

}  // namespace ohhell
