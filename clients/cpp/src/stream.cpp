#include "stream.h"

#include <future>
#include <optional>
#include <thread>
#include <utility>

#include "status.h"
#include "wire.h"

namespace ohhell {
namespace {

constexpr std::uint32_t revision = 1;
constexpr auto software = "ohhell-bot/cpp 0.1.0";
constexpr std::chrono::seconds welcome_within{10};

std::string words_of(End end) {
    switch (end) {
        case End::drained:
            return "the service went down as announced";
        case End::superseded:
            return "another process with the same instance name took over";
        case End::stopped:
            return "stopped";
        case End::no_welcome:
            return "no welcome came";
        default:
            return "the service closed the stream";
    }
}

}  // namespace

Ending Stream::play(std::stop_token stop) {
    hello();
    std::promise<void> said;
    auto written = said.get_future();
    std::thread writer{[&] {
        outbox_.write_to(line_);
        said.set_value();
    }};
    std::stop_source over;
    std::thread watcher{[&] { watch(stop, over.get_token()); }};

    for (std::vector<v1::ServerFrame> frames; line_.read(frames);) receive(frames);

    outbox_.close();
    over.request_stop();
    watcher.join();
    // A caller that is done and reads no more could hold a message for ever.
    if (written.wait_for(goodbye_within) == std::future_status::timeout) line_.cancel();
    writer.join();
    const grpc::Status status = line_.status();

    const std::lock_guard lock{mutex_};
    if (!fault_.empty()) return {.end = End::fault, .words = fault_};
    if (leaving_) return {.end = End::stopped, .words = words_of(End::stopped)};
    if (is_unwelcome_) return {.end = End::no_welcome, .words = words_of(End::no_welcome)};
    // What was announced is no failure, whatever its status.
    if (status.ok() || announced_ != End::closed) {
        return {.end = announced_, .words = words_of(announced_)};
    }
    return {.end = End::failed, .words = words_of(status), .code = status.error_code()};
}

void Stream::watch(std::stop_token stop, std::stop_token over) {
    const std::stop_callback wake_at_stop{stop, [&] {
                                              const std::lock_guard lock{mutex_};
                                              changed_.notify_all();
                                          }};
    const auto faulty = [&] { return !fault_.empty(); };
    std::unique_lock lock{mutex_};
    const auto waited_enough = std::chrono::steady_clock::now() + welcome_within;
    const auto due = [&] { return faulty() || stop.stop_requested(); };
    changed_.wait_until(lock, over, waited_enough, [&] { return due() || welcomed_; });
    if (welcomed_) {
        changed_.wait(lock, over, due);
    } else if (!due() && !over.stop_requested()) {
        is_unwelcome_ = true;
    }
    if (over.stop_requested()) return;
    if (!is_unwelcome_ && !faulty()) {
        leaving_ = true;
        v1::ClientFrame goodbye;
        goodbye.mutable_goodbye()->set_reason(words_of(End::stopped));
        outbox_.add_last(std::move(goodbye));
        changed_.wait_for(lock, over, goodbye_within, faulty);
        if (over.stop_requested()) return;
    }
    line_.cancel();
}

void Stream::hello() {
    v1::ClientFrame frame;
    v1::Hello& hello = *frame.mutable_hello();
    hello.set_revision(revision);
    hello.set_min_revision(revision);
    hello.set_software(software);
    hello.set_instance_id(settings_.instance);
    hello.set_lane(static_cast<std::uint32_t>(settings_.lane));
    hello.set_resume_session_id(session_id_);
    hello.set_workers(static_cast<std::uint32_t>(settings_.workers));
    say({std::move(frame)});
}

void Stream::receive(std::vector<v1::ServerFrame>& frames) {
    Thinkers::Jobs jobs;
    const auto job_for = [&](std::shared_ptr<Seat> seat) {
        auto job = std::make_shared<Job>();
        job->seat = std::move(seat);
        job->listener = shared_from_this();
        jobs.push_back(job);
        return job;
    };
    for (auto& frame : frames) {
        switch (frame.body_case()) {
            case v1::ServerFrame::kPrompt: {
                v1::View& prompt = *frame.mutable_prompt();
                if (auto seat = seat_of(prompt.handle())) {
                    job_for(std::move(seat))->prompt = std::move(prompt);
                } else {
                    log_(Level::warning, "a prompt for the unknown handle " +
                                             std::to_string(prompt.handle()));
                }
                break;
            }
            case v1::ServerFrame::kSeat:
                if (auto seat = seats_.assign(frame.seat())) {
                    handles_[frame.seat().handle()] = std::move(seat);
                }
                break;
            case v1::ServerFrame::kEnded:
                if (auto seat = seat_of(frame.ended().handle())) {
                    handles_.erase(frame.ended().handle());
                    seats_.end(frame.ended().handle(), *seat->match);
                    auto result = result_of(frame.ended(), seat->match);
                    job_for(std::move(seat))->ended = std::move(result);
                }
                break;
            case v1::ServerFrame::kWithdrawn:
                thinkers_.add(std::exchange(jobs, {}));
                thinkers_.withdraw(*this, frame.withdrawn());
                break;
            case v1::ServerFrame::kHeartbeat: {
                v1::ClientFrame pong;
                pong.mutable_pong()->set_nonce(frame.heartbeat().nonce());
                say({std::move(pong)});
                break;
            }
            case v1::ServerFrame::kWelcome:
                welcome(frame.welcome());
                break;
            case v1::ServerFrame::kNotice:
                heed(frame.notice());
                break;
            case v1::ServerFrame::kResult:
                if (!frame.result().accepted()) refused(frame.result());
                break;
            default:
                // Entries and snapshots, which nobody asked for, and what later revisions
                // add.
                break;
        }
    }
    thinkers_.add(std::move(jobs));
}

void Stream::welcome(const v1::Welcome& welcome) {
    session_id_ = welcome.session_id();
    if (!welcome.resumed()) seats_.forget();
    log_(Level::info, "connected to " + welcome.software() + " as " + welcome.bot() +
                          ", lane " + std::to_string(settings_.lane) + ", workers " +
                          std::to_string(welcome.workers()) +
                          ", resumed: " + (welcome.resumed() ? "yes" : "no"));
    const std::lock_guard lock{mutex_};
    welcomed_ = true;
    changed_.notify_all();
}

bool Stream::is_welcomed() {
    const std::lock_guard lock{mutex_};
    return welcomed_;
}

void Stream::heed(const v1::Notice& notice) {
    switch (notice.kind()) {
        case v1::NOTICE_KIND_DRAINING:
            announced_ = End::drained;
            log_(Level::info, "the service goes down in " +
                                  std::to_string(notice.milliseconds()) + " ms");
            break;
        case v1::NOTICE_KIND_SUPERSEDED:
            announced_ = End::superseded;
            break;
        case v1::NOTICE_KIND_PROTOCOL:
            log_(Level::warning, "bad frame: " + notice.reason() + " " + notice.message());
            break;
        default:
            log_(Level::debug, "notice: " + notice.ShortDebugString());
            break;
    }
}

void Stream::refused(const v1::AnswerResult& result) {
    const auto seat = seat_of(result.handle());
    log_(Level::warning, "table " + (seat ? seat->match->table : "?") + " decision " +
                             std::to_string(result.seq()) + " attempt " +
                             std::to_string(result.attempt()) + ": " + result.reason() +
                             " " + result.message());
}

std::shared_ptr<Seat> Stream::seat_of(std::uint32_t handle) const {
    const auto found = handles_.find(handle);
    return found == handles_.end() ? nullptr : found->second;
}

void Stream::blame(const View& view) {
    if (settings_.on_error != OnError::stop) return;
    const std::lock_guard lock{mutex_};
    fault_ = "stopped at the bot's first error: " + view.text();
    changed_.notify_all();
}

}  // namespace ohhell
