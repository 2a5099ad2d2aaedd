#include "ohhell/vocabulary.h"

#include <initializer_list>

namespace ohhell {
namespace {

std::string named(int number, std::initializer_list<const char*> names) {
    if (number < 0 || number >= static_cast<int>(names.size())) {
        return std::to_string(number);
    }
    return names.begin()[number];
}

}  // namespace

std::string name_of(Suit suit) {
    return named(static_cast<int>(suit),
                 {"none", "clubs", "diamonds", "hearts", "spades", "jokers", "no trump"});
}

std::string name_of(Ask ask) {
    return named(static_cast<int>(ask), {"nothing", "bid", "play", "trump", "bid cards"});
}

}  // namespace ohhell
