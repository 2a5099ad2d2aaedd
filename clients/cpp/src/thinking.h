#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "ohhell/log.h"
#include "seats.h"

namespace ohhell {

/// Whoever hears what was thought.
class Listener {
  public:
    virtual ~Listener() = default;

    virtual void say(std::vector<v1::ClientFrame> frames) = 0;
    virtual bool is_over() = 0;

    /// The bot's own code failed at this prompt.
    virtual void blame(const View& view) = 0;
};

/// Something for a seat to work at: a prompt, or the end of its match.
struct Job {
    std::shared_ptr<Seat> seat;
    std::shared_ptr<Listener> listener;
    v1::View prompt;
    std::optional<Result> ended;
    std::string withdrawn;  ///< why it was; guarded by the thinkers
};

/// Runs the bots, apart from the streams, so that heartbeats are answered meanwhile.
class Thinkers {
  public:
    using Jobs = std::vector<std::shared_ptr<Job>>;

    /// Starts as many threads; with one, no two bots ever run at the same time.
    Thinkers(int count, Log log);

    /// Does not wait for bots that think: they have threads of their own.
    ~Thinkers();

    Thinkers(const Thinkers&) = delete;
    Thinkers& operator=(const Thinkers&) = delete;

    void add(Jobs jobs);

    /// Thinking on is useless; after DEFAULTED the table waits to hear its end.
    void withdraw(const Listener& from, const v1::Withdrawn& withdrawn);

  private:
    class Shared;

    std::shared_ptr<Shared> shared_;
};

}  // namespace ohhell
