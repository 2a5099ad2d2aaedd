#pragma once

#include <functional>
#include <string>
#include <variant>

#include "ohhell/bot.h"
#include "ohhell/v1/frames.pb.h"

namespace ohhell {

/// Why there is no answer that could be sent.
struct NoAnswer {
    std::string why;
};

/// Asks the bot and makes its answer a frame. Legality is for the table.
std::variant<v1::ClientFrame, NoAnswer> decide(const std::function<Bot&()>& bot,
                                               const View& view);

/// An answer without an action: the table sees at once that the bot has none.
v1::ClientFrame concession(const v1::View& prompt, const std::string& why);

/// What went wrong, of the exception that is being handled.
std::string words_of_exception();

/// The start of a text that the wire allows as a note: whole characters of UTF-8.
std::string note_of(const std::string& text);

}  // namespace ohhell
