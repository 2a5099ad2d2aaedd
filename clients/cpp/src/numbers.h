#pragma once

#include <charconv>
#include <optional>
#include <string_view>

namespace ohhell {

/// A whole number low..high, in decimal digits and nothing else.
inline std::optional<int> whole_number(std::string_view text, int low, int high) {
    int number = 0;
    const auto end = text.data() + text.size();
    const auto read = std::from_chars(text.data(), end, number);
    if (read.ec != std::errc{} || read.ptr != end || number < low || number > high) {
        return std::nullopt;
    }
    return number;
}

}  // namespace ohhell
