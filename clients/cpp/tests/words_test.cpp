#include <gtest/gtest.h>

#include <stdexcept>

#include "decision.h"
#include "ohhell/cards.h"
#include "ohhell/v1/cards.pb.h"

namespace ohhell::tests {
namespace {

TEST(Cards, HaveTheTextThatTheWireNamesThemBy) {
    for (int code = 1; code < Card::codes; ++code) {
        const Card card{code};
        EXPECT_EQ("CARD_" + card.text(), v1::Card_Name(static_cast<v1::Card>(code)));
        EXPECT_EQ(Card::parse(card.text()), card);
    }
    EXPECT_FALSE(v1::Card_IsValid(Card::codes));
    EXPECT_EQ(no_card.text(), "--");
    EXPECT_EQ(Card{200}.text(), "card 200");
}

TEST(Cards, KnowTheirSuitAndRank) {
    EXPECT_EQ(Card::parse("QH").suit(), Suit::hearts);
    EXPECT_EQ(Card::parse("QH").rank(), 12);
    EXPECT_EQ(Card::parse("RS").suit(), Suit::spades);
    EXPECT_EQ(Card::parse("RS").rank(), 13);
    EXPECT_EQ(Card::parse("X2").suit(), Suit::jokers);
    EXPECT_EQ(Card::parse("W1").suit(), Suit::none);
    EXPECT_EQ(Card{200}.rank(), 0);
}

TEST(Cards, AreNotReadFromAnythingElse) {
    EXPECT_EQ(text_of(parse_cards(" 2C  AS ")), "2C AS");
    for (const auto* text : {"", "1H", "hQ", "QHH", "--"}) {
        EXPECT_THROW(Card::parse(text), std::invalid_argument) << text;
    }
}

TEST(Notes, AreCutToWhatTheWireAllows) {
    std::string text = "a";
    for (int i = 0; i < 200; ++i) text += "\u00e4";
    EXPECT_EQ(note_of(text), text.substr(0, 255));
}

TEST(Notes, AreText) {
    EXPECT_EQ(note_of("\xff"
                      "a\xc3"),
              "?a?");
    EXPECT_EQ(note_of("\xe2\x82\xac"), "\xe2\x82\xac");
    EXPECT_EQ(note_of("\xed\xa0\x80"), "???");
}

}  // namespace
}  // namespace ohhell::tests
