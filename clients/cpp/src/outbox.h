#pragma once

#include <condition_variable>
#include <deque>
#include <mutex>
#include <vector>

#include "line.h"

namespace ohhell {

/// What is to be sent. One thread writes; what comes while it does is taken along in the
/// next message.
class Outbox {
  public:
    void add(std::vector<v1::ClientFrame> frames);

    /// Is followed by nothing.
    void add_last(v1::ClientFrame frame);

    /// Leaves what was not sent yet.
    void close();

    bool is_closed();

    /// Sends until everything has been said, or nobody can hear it.
    void write_to(Line& line);

  private:
    /// Waits for frames; none: everything has been said.
    std::vector<v1::ClientFrame> take();

    std::mutex mutex_;
    std::condition_variable some_;
    std::deque<v1::ClientFrame> frames_;
    bool last_ = false;
    bool closed_ = false;
};

}  // namespace ohhell
