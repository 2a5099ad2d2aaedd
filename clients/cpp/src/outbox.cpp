#include "outbox.h"

#include <algorithm>
#include <iterator>

namespace ohhell {
namespace {

constexpr std::ptrdiff_t max_frames = 128;  ///< in one message

}  // namespace

void Outbox::add(std::vector<v1::ClientFrame> frames) {
    const std::lock_guard lock{mutex_};
    if (last_) return;
    std::move(frames.begin(), frames.end(), std::back_inserter(frames_));
    some_.notify_one();
}

void Outbox::add_last(v1::ClientFrame frame) {
    const std::lock_guard lock{mutex_};
    if (last_) return;
    frames_.push_back(std::move(frame));
    last_ = true;
    some_.notify_one();
}

void Outbox::close() {
    const std::lock_guard lock{mutex_};
    closed_ = true;
    last_ = true;
    frames_.clear();
    some_.notify_one();
}

bool Outbox::is_closed() {
    const std::lock_guard lock{mutex_};
    return closed_;
}

std::vector<v1::ClientFrame> Outbox::take() {
    std::unique_lock lock{mutex_};
    some_.wait(lock, [&] { return !frames_.empty() || last_; });
    const auto count = std::min(std::ssize(frames_), max_frames);
    const auto end = frames_.begin() + count;
    std::vector<v1::ClientFrame> taken{std::make_move_iterator(frames_.begin()),
                                       std::make_move_iterator(end)};
    frames_.erase(frames_.begin(), end);
    return taken;
}

void Outbox::write_to(Line& line) {
    for (auto frames = take(); !frames.empty(); frames = take()) {
        // Why it failed is what the reader is told.
        if (!line.write(std::move(frames))) return;
    }
    if (!is_closed()) line.finish();
}

}  // namespace ohhell
