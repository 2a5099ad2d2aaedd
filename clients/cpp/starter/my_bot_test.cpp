#include "my_bot.h"

#include <gtest/gtest.h>

namespace {

/// Of seat 0 of three, with hearts as trump and nothing bid yet.
ohhell::View position(const char* hand) {
    auto rules = std::make_shared<ohhell::Rules>();
    rules->players = 3;
    auto match = std::make_shared<ohhell::Match>();
    match->rules = rules;
    ohhell::View view;
    view.match = match;
    view.trump = ohhell::Suit::hearts;
    view.hand = ohhell::parse_cards(hand);
    view.bids.resize(3);
    view.tricks = {0, 0, 0};
    return view;
}

TEST(MyBot, BidsWhatIsLikelyOrTheNearestThatIsLegal) {
    auto view = position("AS KD 9H 2H 3C");
    view.legal_bids = {0, 1, 2, 3, 4, 5};
    EXPECT_EQ(MyBot{}.bid(view), 3);
    view.legal_bids = {0, 1, 2, 5};
    EXPECT_EQ(MyBot{}.bid(view), 2);
}

TEST(MyBot, TakesATrickCheaplyWhileItNeedsOneAndThenDucks) {
    auto view = position("2S TS QS AS");
    view.legal_cards = view.hand;
    view.plays = ohhell::parse_cards("9S");
    view.leaders = {2};
    view.bids = {1, 0, 0};
    EXPECT_EQ(MyBot{}.play(view).text(), "TS");
    view.bids = {0, 0, 0};
    EXPECT_EQ(MyBot{}.play(view).text(), "2S");
}

}  // namespace
