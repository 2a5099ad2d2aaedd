#include "ohhell/view.h"

#include <algorithm>
#include <numeric>
#include <sstream>

namespace ohhell {
namespace {

// Powers of cards within one trick, far enough apart for every strength to fit between.
constexpr int of_led_suit = 100;
constexpr int of_trump = 200;
constexpr int outright = 300;

template <class Items, class Text>
std::string listed(const Items& items, Text text) {
    std::string all;
    for (const auto& item : items) {
        if (!all.empty()) all += ' ';
        all += text(item);
    }
    return "[" + all + "]";
}

std::string number(int value) { return std::to_string(value); }

}  // namespace

Draws& View::rng() const {
    if (!draws_) draws_.emplace(match->bot_seed, seq);
    return *draws_;
}

std::optional<int> View::my_bid() const {
    return bids.at(static_cast<std::size_t>(match->seat));
}

int View::my_tricks() const { return tricks.at(static_cast<std::size_t>(match->seat)); }

int View::needed() const {
    const auto bid = my_bid();
    return bid ? *bid - my_tricks() : 0;
}

int View::tricks_left() const {
    return size - std::accumulate(tricks.begin(), tricks.end(), 0);
}

std::vector<Card> View::trick_cards() const {
    const auto open = static_cast<std::ptrdiff_t>(plays.size()) % match->seats();
    return {plays.end() - open, plays.end()};
}

std::vector<Played> View::trick() const {
    const auto cards = trick_cards();
    if (cards.empty()) return {};
    const auto number = plays.size() / static_cast<std::size_t>(match->seats());
    int seat_in_turn = leaders.at(number);
    std::vector<Played> trick;
    for (const Card card : cards) {
        trick.push_back({.seat = seat_in_turn, .card = card});
        seat_in_turn = (seat_in_turn + 1) % match->seats();
    }
    return trick;
}

Suit View::led_suit() const { return match->rules->led_suit(trick_cards()); }

int View::position() const {
    if (ask == Ask::play) return static_cast<int>(trick_cards().size());
    const int seats = match->seats();
    return (match->seat - dealer - 1 + 2 * seats) % seats;
}

bool View::plays_last() const {
    return static_cast<int>(trick_cards().size()) == match->seats() - 1;
}

std::vector<Card> View::unseen() const {
    std::vector<Card> seen{upcard};
    for (const auto* cards : {&hand, &plays, &bid_cards, &shown_cards}) {
        seen.insert(seen.end(), cards->begin(), cards->end());
    }
    std::sort(seen.begin(), seen.end());
    std::vector<Card> unseen;
    // A pack is sorted by code, and each copy of a card counts.
    std::set_difference(match->rules->pack.begin(), match->rules->pack.end(), seen.begin(),
                        seen.end(), std::back_inserter(unseen));
    return unseen;
}

std::optional<Played> View::winner_so_far() const {
    const auto standing = best();
    if (!standing) return std::nullopt;
    return trick()[standing->place];
}

bool View::wins(Card card, JokerCall joker_call) const {
    auto cards = trick_cards();
    const auto standing = best();
    if (!standing) return true;
    if (card.is_joker() && call == CallRule::fixed_high) joker_call = JokerCall::high;
    if (card.is_joker() && call == CallRule::fixed_low) joker_call = JokerCall::low;
    const Card winner = cards[standing->place];
    Suit led = led_suit();
    if (led == Suit::none) {
        cards.push_back(card);
        led = match->rules->led_suit(cards);
    }
    return beats(card, power(card, led, joker_call), winner, standing->power);
}

std::optional<View::Standing> View::best() const {
    const auto cards = trick_cards();
    const Suit led = led_suit();
    const auto jokers = static_cast<std::size_t>(std::count_if(
        cards.begin(), cards.end(), [](Card card) { return card.is_joker(); }));
    // The calls are those of the whole deal; the last ones are of this trick.
    std::size_t next = joker_calls.size() - std::min(jokers, joker_calls.size());
    std::optional<Standing> winner;
    for (std::size_t place = 0; place < cards.size(); ++place) {
        const Card card = cards[place];
        const bool called = card.is_joker() && next < joker_calls.size();
        const int own = power(card, led, called ? joker_calls[next++] : JokerCall::none);
        if (!winner || beats(card, own, cards[winner->place], winner->power)) {
            winner = Standing{.place = place, .power = own};
        }
    }
    return winner;
}

int View::power(Card card, Suit led, JokerCall joker_call) const {
    const Rules& rules = *match->rules;
    if (rules.is_suitless(card)) {
        return card.is_wizard() || joker_call == JokerCall::high ? outright : 0;
    }
    if (card.suit() == trump) return of_trump + rules.strength(card);
    if (card.suit() == led) return of_led_suit + rules.strength(card);
    return 0;
}

bool View::beats(Card card, int own, Card best_card, int best_power) const {
    if (own == best_power && card == best_card && own > 0) {
        return match->rules->duplicate_winner == "last";
    }
    return own > best_power;
}

std::string View::text() const {
    std::ostringstream text;
    text << "table " << match->table << " seat " << match->seat << "; decision " << seq
         << " attempt " << attempt << ": " << name_of(ask) << "; deal " << deal << " of "
         << size << " cards, dealer " << dealer << ", trump " << name_of(trump)
         << ", upcard " << upcard.text() << "; hand " << text_of(hand) << "; bids "
         << listed(bids, [](auto bid) { return bid ? number(*bid) : "-"; }) << " tricks "
         << listed(tricks, number);
    switch (ask) {
        case Ask::bid:
            text << "; legal " << listed(legal_bids, number);
            break;
        case Ask::play:
            text << "; trick " << text_of(trick_cards()) << "; legal "
                 << text_of(legal_cards);
            break;
        case Ask::trump:
            text << "; legal " << listed(legal_suits, [](Suit s) { return name_of(s); });
            break;
        default:
            break;
    }
    return text.str();
}

}  // namespace ohhell
