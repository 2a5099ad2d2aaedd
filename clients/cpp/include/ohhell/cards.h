#pragma once

#include <compare>
#include <string>
#include <string_view>
#include <vector>

#include "ohhell/vocabulary.h"

namespace ohhell {

/// A card by its code, 1..74; 0 is no card, or none that the seat may see.
class Card {
  public:
    constexpr Card() = default;
    constexpr explicit Card(int code) : code_(code) {}

    /// The inverse of text(); throws std::invalid_argument.
    static Card parse(std::string_view text);

    constexpr int code() const { return code_; }

    /// Whether this is one of the 74 cards.
    constexpr bool exists() const { return 0 < code_ && code_ < codes; }

    /// Suit::jokers for jokers, Suit::none for wizards and jesters.
    Suit suit() const;

    /// 2..14 (ace), 11..13 for Spanish court cards, 0 for special cards. What beats what
    /// depends on the rank order of the table: see Rules::strength.
    int rank() const;

    constexpr bool is_joker() const { return 53 <= code_ && code_ <= 54; }
    constexpr bool is_wizard() const { return 55 <= code_ && code_ <= 58; }
    constexpr bool is_jester() const { return 59 <= code_ && code_ <= 62; }

    /// One of sota, caballo and rey, which are in Spanish packs only.
    constexpr bool is_spanish_court() const { return 63 <= code_ && code_ < codes; }

    /// Two characters, as in TH, X1, RS; -- for no card.
    std::string text() const;

    auto operator<=>(const Card&) const = default;

    static constexpr int codes = 75;  ///< one above the highest code

  private:
    int code_ = 0;
};

inline constexpr Card no_card{};

/// Reads cards separated by spaces; throws std::invalid_argument.
std::vector<Card> parse_cards(std::string_view text);

/// Cards separated by spaces.
std::string text_of(const std::vector<Card>& cards);

}  // namespace ohhell
