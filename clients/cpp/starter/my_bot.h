#pragma once

#include <algorithm>
#include <cstdlib>
#include <vector>

#include "ohhell/bot.h"

/// A first bot: counts likely tricks, takes them while they are needed, ducks.
class MyBot : public ohhell::Bot {
  public:
    /// The legal bid nearest to the number of aces, kings and high trumps.
    int bid(const ohhell::View& view) override {
        int likely = 0;
        for (const auto card : view.hand)
            likely += is_strong(view, card) ? 1 : 0;
        const auto nearer = [&](int a, int b) {
            return std::abs(a - likely) < std::abs(b - likely);
        };
        return *std::min_element(view.legal_bids.begin(), view.legal_bids.end(),
                                 nearer);
    }

    /// Every card in legal_cards is allowed; the question is which one is wise.
    ohhell::Card play(const ohhell::View& view) override {
        auto cards = ohhell::lowest_first(view.legal_cards, view);
        std::stable_sort(cards.begin(), cards.end(),
                         [&](ohhell::Card a, ohhell::Card b) {
                             return strength(view, a) < strength(view, b);
                         });
        std::vector<ohhell::Card> winners, losers;
        for (const auto card : cards)
            (view.wins(card) ? winners : losers).push_back(card);
        if (view.needed() > 0 && !winners.empty()) {
            // The first card of a trick is a high one; later, a cheap one does.
            return view.trick().empty() ? winners.back() : winners.front();
        }
        if (view.needed() <= 0 && !losers.empty()) {
            return losers.back();  // the most dangerous card that does not win
        }
        return cards.front();
    }

  private:
    static constexpr int king = 13;

    static bool is_strong(const ohhell::View& view, ohhell::Card card) {
        if (card.suit() == view.trump) return card.rank() > 8;
        return card.rank() >= king;
    }

    /// A trump is above every card of another suit.
    static int strength(const ohhell::View& view, ohhell::Card card) {
        const int place = view.match->rules->strength(card);
        return card.suit() == view.trump ? 20 + place : place;
    }
};
