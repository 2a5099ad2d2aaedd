#include "seats.h"

#include <algorithm>

#include "decision.h"
#include "wire.h"

namespace ohhell {

namespace {

/// Seats that have ended: the service says no more of them a second time.
constexpr std::size_t most_remembered = 512;

}  // namespace

Bot& Seat::bot() {
    if (!bot_) {
        bot_ = make_bot_();
        guarded("match_start", [&] { bot_->match_start(*match); });
    }
    return *bot_;
}

void Seat::end(const Result& result) {
    const std::lock_guard lock{working};
    guarded("match_end", [&] { bot().match_end(result); });
}

void Seat::guarded(const char* method, const std::function<void()>& call) {
    try {
        call();
    } catch (...) {
        log_(Level::error, std::string{method} + " failed at table " + match->table + ": " +
                               words_of_exception());
    }
}

std::shared_ptr<Seat> Seats::assign(const v1::SeatAssigned& assigned) {
    if (assigned.has_rules()) rules_[assigned.rules_hash()] = rules_of(assigned.rules());
    const Place key{assigned.table(), static_cast<int>(assigned.seat())};
    const std::pair ended{assigned.handle(), key};
    if (std::find(ended_.begin(), ended_.end(), ended) != ended_.end()) return nullptr;
    if (const auto held = held_.find(key); held != held_.end()) return held->second;
    const auto rules = rules_.find(assigned.rules_hash());
    if (rules == rules_.end()) {
        log_(Level::warning,
             "table " + assigned.table() + " has rules that were never told");
        return nullptr;
    }
    auto seat = std::make_shared<Seat>(match_of(assigned, rules->second), make_bot_, log_);
    held_[key] = seat;
    log_(Level::debug,
         "seat " + std::to_string(assigned.seat()) + " at table " + assigned.table());
    return seat;
}

void Seats::end(std::uint32_t handle, const Match& match) {
    Place key{match.table, match.seat};
    held_.erase(key);
    ended_.emplace_back(handle, std::move(key));
    if (ended_.size() > most_remembered) ended_.pop_front();
}

}  // namespace ohhell
