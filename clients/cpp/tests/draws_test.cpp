#include "ohhell/draws.h"

#include <gtest/gtest.h>

#include <random>
#include <stdexcept>
#include <vector>

namespace ohhell::tests {
namespace {

Draws draws() {
    std::string seed;
    for (char byte = 0; byte < 16; ++byte) seed += byte;
    return {seed, 7};
}

TEST(Draws, AreThoseOfEveryLanguage) {
    Draws words = draws();
    std::vector<std::uint32_t> drawn;
    for (int i = 0; i < 9; ++i) drawn.push_back(words.word());
    // The ninth word is of the second block.
    const std::vector<std::uint32_t> wanted{2181344209, 4293064234, 2120141822,
                                            3655235384, 3415355339, 1921381793,
                                            2666518093, 686753985,  2169966577};
    EXPECT_EQ(drawn, wanted);
    Draws dice = draws();
    std::vector<std::uint32_t> rolled;
    for (int i = 0; i < 10; ++i) rolled.push_back(dice.below(6));
    EXPECT_EQ(rolled, (std::vector<std::uint32_t>{1, 4, 2, 2, 5, 5, 1, 3, 1, 2}));
    EXPECT_EQ(draws().uniform(), 0.5078837797012694);
    std::vector<int> items{0, 1, 2, 3, 4, 5, 6, 7};
    draws().shuffle(items);
    EXPECT_EQ(items, (std::vector<int>{0, 7, 5, 3, 6, 2, 4, 1}));
}

TEST(Draws, AreNotBelowNothing) { EXPECT_THROW(draws().below(0), std::invalid_argument); }

TEST(Draws, AreAGeneratorForTheStandardLibrary) {
    static_assert(std::uniform_random_bit_generator<Draws>);
    Draws one = draws(), other = draws();
    EXPECT_EQ(one(), other.word());
}

}  // namespace
}  // namespace ohhell::tests
