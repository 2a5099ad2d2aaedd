#include "ohhell/log.h"

#include <array>
#include <chrono>
#include <ctime>
#include <iostream>
#include <mutex>
#include <string>

namespace ohhell {
namespace {

constexpr std::array names{"ERROR", "WARNING", "INFO", "DEBUG"};

std::string now() {
    const std::time_t time =
        std::chrono::system_clock::to_time_t(std::chrono::system_clock::now());
    std::tm utc{};
    gmtime_r(&time, &utc);
    std::array<char, 32> text{};
    std::strftime(text.data(), text.size(), "%Y-%m-%dT%H:%M:%SZ", &utc);
    return text.data();
}

}  // namespace

Log log_to_stderr(Level least) {
    return [least](Level level, std::string_view message) {
        if (level > least) return;
        std::string line = now() + " ohhell_bot " + names[static_cast<std::size_t>(level)];
        line.append(" ").append(message).append("\n");
        static std::mutex writing;
        const std::lock_guard lock{writing};
        std::cerr << line;
    };
}

}  // namespace ohhell
