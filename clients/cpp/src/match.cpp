#include "ohhell/match.h"

namespace ohhell {
namespace {

/// Places of the ranks 0..14; ranks that are not in the pack have none.
constexpr int french[] = {0, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13};
constexpr int spanish[] = {0, 0, 1, 9, 2, 3, 4, 5, 0, 0, 0, 6, 7, 8, 10};

}  // namespace

int Rules::strength(Card card) const {
    if (card.is_joker() || card.is_wizard()) return above_all_ranks;
    return (spanish_ranks ? spanish : french)[card.rank()];
}

bool Rules::is_suitless(Card card) const {
    return card.is_wizard() || card.is_jester() ||
           (card.is_joker() && joker_mode == "high_low");
}

Suit Rules::led_suit(const std::vector<Card>& trick) const {
    for (const Card card : trick) {
        if (!is_suitless(card)) return card.suit();
        if (card.is_wizard()) return Suit::none;
    }
    return Suit::none;
}

}  // namespace ohhell
