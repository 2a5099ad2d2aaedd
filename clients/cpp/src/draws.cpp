#include "ohhell/draws.h"

#include <openssl/evp.h>
#include <openssl/hmac.h>

#include <stdexcept>

namespace ohhell {
namespace {

template <class Number>
void append_big_endian(std::string& bytes, Number number) {
    for (int shift = 8 * (static_cast<int>(sizeof number) - 1); shift >= 0; shift -= 8) {
        bytes += static_cast<char>(number >> shift & 0xff);
    }
}

}  // namespace

Draws::Draws(std::string bot_seed, std::uint32_t seq)
    : key_(std::move(bot_seed)), seq_(seq) {}

std::uint32_t Draws::word() {
    if (used_ == block_.size()) {
        std::string message = "decision";
        append_big_endian(message, seq_);
        append_big_endian(message, counter_++);
        HMAC(EVP_sha256(), key_.data(), static_cast<int>(key_.size()),
             reinterpret_cast<const unsigned char*>(message.data()), message.size(),
             block_.data(), nullptr);
        used_ = 0;
    }
    std::uint32_t word = 0;
    for (int i = 0; i < 4; ++i) word = word << 8 | block_[used_++];
    return word;
}

std::uint32_t Draws::below(std::uint64_t m) {
    constexpr std::uint64_t all = std::uint64_t{1} << 32;
    if (m < 1 || m > all) {
        throw std::invalid_argument("cannot draw below " + std::to_string(m) + ": 1..2^32");
    }
    const std::uint64_t limit = all - all % m;
    for (;;) {
        if (const std::uint64_t drawn = word(); drawn < limit) {
            return static_cast<std::uint32_t>(drawn % m);
        }
    }
}

double Draws::uniform() {
    const std::uint64_t high = word() >> 5;
    const std::uint64_t low = word() >> 6;
    return static_cast<double>(high << 26 | low) /
           static_cast<double>(std::uint64_t{1} << 53);
}

}  // namespace ohhell
