#include "ohhell/cards.h"

#include <array>
#include <sstream>
#include <stdexcept>

namespace ohhell {
namespace {

constexpr std::string_view suits = "CDHS";
constexpr std::string_view ranks = "23456789TJQKA";
constexpr std::string_view spanish_court = "SCR";

struct Facts {
    std::string text;
    Suit suit = Suit::none;
    int rank = 0;
};

Facts facts_of(Card card) {
    const int code = card.code();
    const auto numbered = [](char letter, int number) {
        return std::string{letter, static_cast<char>('0' + number)};
    };
    if (card == no_card) return {.text = "--"};
    if (card.is_joker()) return {.text = numbered('X', code - 52), .suit = Suit::jokers};
    if (card.is_wizard()) return {.text = numbered('W', code - 54)};
    if (card.is_jester()) return {.text = numbered('F', code - 58)};
    const int place = card.is_spanish_court() ? code - 63 : code - 1;
    const int in_suit = card.is_spanish_court() ? 3 : 13;
    const auto suit = static_cast<std::size_t>(place / in_suit);
    const auto rank = static_cast<std::size_t>(place % in_suit);
    const char letter = card.is_spanish_court() ? spanish_court[rank] : ranks[rank];
    return {.text = {letter, suits[suit]},
            .suit = static_cast<Suit>(suit + 1),
            .rank = static_cast<int>(rank) + (card.is_spanish_court() ? 11 : 2)};
}

const std::array<Facts, Card::codes>& table() {
    static const auto facts = [] {
        std::array<Facts, Card::codes> all;
        for (int code = 0; code < Card::codes; ++code) {
            all[static_cast<std::size_t>(code)] = facts_of(Card{code});
        }
        return all;
    }();
    return facts;
}

const Facts& known(Card card) {
    return table()[static_cast<std::size_t>(card.exists() ? card.code() : 0)];
}

}  // namespace

Suit Card::suit() const { return known(*this).suit; }
int Card::rank() const { return known(*this).rank; }

std::string Card::text() const {
    if (!exists() && *this != no_card) return "card " + std::to_string(code_);
    return known(*this).text;
}

Card Card::parse(std::string_view text) {
    for (int code = 1; code < codes; ++code) {
        if (known(Card{code}).text == text) return Card{code};
    }
    throw std::invalid_argument(
        "\"" + std::string{text} +
        "\" is no card: a rank (2..9 T J Q K A, or S C R in the Spanish pack) and a suit "
        "(C D H S), or X1 X2, W1..W4, F1..F4");
}

std::vector<Card> parse_cards(std::string_view text) {
    std::istringstream words{std::string{text}};
    std::vector<Card> cards;
    for (std::string word; words >> word;) cards.push_back(Card::parse(word));
    return cards;
}

std::string text_of(const std::vector<Card>& cards) {
    std::string text;
    for (const Card card : cards) {
        if (!text.empty()) text += ' ';
        text += card.text();
    }
    return text;
}

}  // namespace ohhell
