#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <utility>

#include "ohhell/bot.h"
#include "ohhell/log.h"
#include "ohhell/v1/frames.pb.h"

namespace ohhell {

/// One match of a bot. Its bot is made and told of the match by whoever thinks for it
/// first, and does one thing at a time.
class Seat {
  public:
    Seat(std::shared_ptr<const Match> match, MakeBot make_bot, Log log)
        : match(std::move(match)), make_bot_(std::move(make_bot)), log_(std::move(log)) {}

    const std::shared_ptr<const Match> match;

    /// Held by whoever thinks for this seat.
    std::mutex working;

    /// Throws what making a bot throws.
    Bot& bot();

    void end(const Result& result);

  private:
    /// Logs whatever the bot's own code throws.
    void guarded(const char* method, const std::function<void()>& call);

    MakeBot make_bot_;
    Log log_;
    std::unique_ptr<Bot> bot_;
};

/// What a bot process holds, whatever becomes of its connection.
class Seats {
  public:
    Seats(MakeBot make_bot, Log log)
        : make_bot_(std::move(make_bot)), log_(std::move(log)) {}

    /// The same seat again where it is assigned again; none where its rules were never
    /// told, and for one that is over: the service cannot know that it was heard.
    std::shared_ptr<Seat> assign(const v1::SeatAssigned& assigned);

    void end(std::uint32_t handle, const Match& match);

    /// The service knows nothing of an earlier session, so its matches are gone.
    void forget() {
        held_.clear();
        ended_.clear();
    }

  private:
    using Place = std::pair<std::string, int>;

    MakeBot make_bot_;
    Log log_;
    std::map<Place, std::shared_ptr<Seat>> held_;
    std::map<std::string, std::shared_ptr<const Rules>> rules_;
    /// Seats that are over, by handle and place, oldest first.
    std::deque<std::pair<std::uint32_t, Place>> ended_;
};

}  // namespace ohhell
