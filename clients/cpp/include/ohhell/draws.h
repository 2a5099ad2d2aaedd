#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>

namespace ohhell {

/// A bot's chance at one decision, a function of the seat's seed and of the decision alone:
/// a decision that is asked again, in whatever process or language, meets the same chance.
/// Its 32-bit words are
///
///     HMAC-SHA256(bot_seed, "decision" | u32be seq | u64be counter)   counter = 0, 1, ...
///
/// taken as eight big-endian words each, in order. It is a generator for <random>, too;
/// what the distributions there make of it differs between standard libraries.
class Draws {
  public:
    using result_type = std::uint32_t;

    Draws(std::string bot_seed, std::uint32_t seq);

    /// 32 random bits.
    std::uint32_t word();

    /// 0 <= n < m, all equally likely; throws std::invalid_argument unless 1 <= m <= 2^32.
    std::uint32_t below(std::uint64_t m);

    /// 0 <= x < 1 with 53 random bits, out of two words.
    double uniform();

    /// Swaps from the last place down with one of the places up to it.
    template <class Sequence>
    void shuffle(Sequence& items) {
        for (std::size_t i = items.size(); i-- > 1;) {
            std::swap(items[i], items[below(i + 1)]);
        }
    }

    result_type operator()() { return word(); }
    static constexpr result_type min() { return 0; }
    static constexpr result_type max() { return UINT32_MAX; }

  private:
    std::string key_;
    std::uint32_t seq_;
    std::uint64_t counter_ = 0;
    std::array<unsigned char, 32> block_{};
    std::size_t used_ = sizeof block_;
};

}  // namespace ohhell
