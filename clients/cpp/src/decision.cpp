#include "decision.h"

#include <exception>

namespace ohhell {
namespace {

constexpr std::size_t note_bytes = 256;

v1::ClientFrame frame_of(Bot& bot, const View& view) {
    v1::ClientFrame frame;
    v1::Answer& answer = *frame.mutable_answer();
    answer.set_handle(view.handle);
    answer.set_seq(view.seq);
    answer.set_attempt(static_cast<std::uint32_t>(view.attempt));
    switch (view.ask) {
        case Ask::bid: {
            const int bid = bot.bid(view);
            if (bid < 0) {
                throw std::invalid_argument("bid returned " + std::to_string(bid) +
                                            ", which is no number of tricks");
            }
            answer.set_bid(static_cast<std::uint32_t>(bid));
            return frame;
        }
        case Ask::play: {
            const Card card = view.legal_cards.empty() ? no_card : bot.play(view);
            if (card != no_card && !card.exists()) {
                throw std::invalid_argument("play returned " + card.text() +
                                            ", which is not a card");
            }
            answer.set_card(static_cast<v1::Card>(card.code()));
            if (card.is_joker() && view.call == CallRule::required) {
                answer.set_call(static_cast<v1::JokerCall>(bot.call_joker(view, card)));
            }
            return frame;
        }
        case Ask::trump:
            answer.set_trump(static_cast<v1::Suit>(bot.choose_trump(view)));
            return frame;
        case Ask::bid_cards: {
            const Laid laid = bot.lay(view);
            v1::BidCards& wire = *answer.mutable_bid_cards();
            for (const Card card : laid.cards) {
                wire.add_cards(static_cast<v1::Card>(card.code()));
            }
            wire.set_claim(static_cast<v1::Claim>(laid.claim));
            return frame;
        }
        default:
            throw std::invalid_argument(
                "a question of a kind that this library does not know: " +
                name_of(view.ask));
    }
}

/// Bytes of the character of UTF-8 at a place; 0 where there is none.
std::size_t character_at(const std::string& text, std::size_t at) {
    const auto byte = [&](std::size_t i) {
        return i < text.size() ? static_cast<unsigned char>(text[i]) : 0U;
    };
    const unsigned first = byte(at);
    const std::size_t length = first < 0x80                     ? 1
                               : first >= 0xc2 && first <= 0xdf ? 2
                               : first >= 0xe0 && first <= 0xef ? 3
                               : first >= 0xf0 && first <= 0xf4 ? 4
                                                                : 0;
    for (std::size_t i = 1; i < length; ++i) {
        if ((byte(at + i) & 0xc0) != 0x80) return 0;
    }
    // Overlong forms, surrogates, and what is beyond the last character.
    const unsigned second = byte(at + 1);
    if ((first == 0xe0 && second < 0xa0) || (first == 0xed && second > 0x9f) ||
        (first == 0xf0 && second < 0x90) || (first == 0xf4 && second > 0x8f)) {
        return 0;
    }
    return length;
}

}  // namespace

std::variant<v1::ClientFrame, NoAnswer> decide(const std::function<Bot&()>& bot,
                                               const View& view) {
    try {
        return frame_of(bot(), view);
    } catch (...) {
        return NoAnswer{words_of_exception()};
    }
}

v1::ClientFrame concession(const v1::View& prompt, const std::string& why) {
    v1::ClientFrame frame;
    v1::Answer& answer = *frame.mutable_answer();
    answer.set_handle(prompt.handle());
    answer.set_seq(prompt.seq());
    answer.set_attempt(prompt.attempt());
    answer.set_note(note_of(why));
    return frame;
}

std::string words_of_exception() {
    try {
        throw;
    } catch (const std::exception& exception) {
        return exception.what();
    } catch (...) {
        return "it threw something that is no std::exception";
    }
}

std::string note_of(const std::string& text) {
    std::string note;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t length = character_at(text, at);
        // A byte that is no text would make the whole message unreadable.
        const std::string next = length == 0 ? "?" : text.substr(at, length);
        if (note.size() + next.size() > note_bytes) break;
        note += next;
        at += next.size();
    }
    return note;
}

}  // namespace ohhell
