#include "thinking.h"

#include <algorithm>
#include <chrono>
#include <thread>
#include <utility>

#include "decision.h"
#include "wire.h"

namespace ohhell {
namespace {

using std::chrono::steady_clock;

/// Answers of one received message leave together, unless thinking takes this long.
constexpr auto hold_back = std::chrono::milliseconds{1};

/// Why a prompt is withdrawn that expired.
constexpr auto defaulted = "DEFAULTED";

}  // namespace

/// What the threads work at; the last one of them takes it along.
class Thinkers::Shared {
  public:
    Shared(int count, Log log) : count_(count), log_(std::move(log)) {}

    void add(Jobs jobs);
    void withdraw(const Listener& from, const v1::Withdrawn& withdrawn);
    void close();
    void work();

  private:
    /// What is to be done, to one of several threads one thing only; nothing at the end.
    Jobs take();

    /// The answer, if there is to be one.
    std::optional<v1::ClientFrame> work_at(const std::shared_ptr<Job>& job);
    v1::ClientFrame answer(Job& job);
    std::string fate(const Job& job);
    std::string done(const std::shared_ptr<Job>& job);

    const int count_;
    const Log log_;
    std::mutex mutex_;
    std::condition_variable some_;
    std::deque<std::shared_ptr<Job>> queue_;
    std::set<std::shared_ptr<Job>> asked_;  ///< prompts in the queue and in work
    bool closed_ = false;
};

Thinkers::Thinkers(int count, Log log)
    : shared_(std::make_shared<Shared>(std::max(1, count), std::move(log))) {
    for (int i = 0; i < std::max(1, count); ++i) {
        std::thread{[shared = shared_] { shared->work(); }}.detach();
    }
}

Thinkers::~Thinkers() { shared_->close(); }

void Thinkers::add(Jobs jobs) { shared_->add(std::move(jobs)); }

void Thinkers::withdraw(const Listener& from, const v1::Withdrawn& withdrawn) {
    shared_->withdraw(from, withdrawn);
}

void Thinkers::Shared::add(Jobs jobs) {
    if (jobs.empty()) return;
    const std::lock_guard lock{mutex_};
    for (auto& job : jobs) {
        if (!job->ended) asked_.insert(job);
        queue_.push_back(std::move(job));
    }
    some_.notify_all();
}

void Thinkers::Shared::withdraw(const Listener& from, const v1::Withdrawn& withdrawn) {
    const std::lock_guard lock{mutex_};
    for (const auto& job : asked_) {
        if (job->listener.get() == &from && job->prompt.handle() == withdrawn.handle() &&
            job->prompt.seq() == withdrawn.seq()) {
            job->withdrawn = withdrawn.reason();
        }
    }
}

void Thinkers::Shared::close() {
    const std::lock_guard lock{mutex_};
    closed_ = true;
    queue_.clear();
    some_.notify_all();
}

Thinkers::Jobs Thinkers::Shared::take() {
    std::unique_lock lock{mutex_};
    some_.wait(lock, [&] { return !queue_.empty() || closed_; });
    if (closed_) return {};
    const auto end = count_ > 1 ? queue_.begin() + 1 : queue_.end();
    Jobs jobs{queue_.begin(), end};
    queue_.erase(queue_.begin(), end);
    return jobs;
}

void Thinkers::Shared::work() {
    for (Jobs jobs = take(); !jobs.empty(); jobs = take()) {
        auto since = steady_clock::now();
        std::vector<v1::ClientFrame> ready;
        for (std::size_t i = 0; i < jobs.size(); ++i) {
            if (auto frame = work_at(jobs[i])) ready.push_back(*std::move(frame));
            const bool last =
                i + 1 == jobs.size() || jobs[i + 1]->listener != jobs[i]->listener;
            if (!last && steady_clock::now() - since <= hold_back) continue;
            if (!ready.empty()) jobs[i]->listener->say(std::exchange(ready, {}));
            since = steady_clock::now();
        }
    }
}

std::optional<v1::ClientFrame> Thinkers::Shared::work_at(const std::shared_ptr<Job>& job) {
    if (job->ended) {
        job->seat->end(*job->ended);
        return std::nullopt;
    }
    const auto withdrawn = fate(*job);
    if (job->listener->is_over() || !withdrawn.empty()) {
        done(job);
        if (withdrawn != defaulted) return std::nullopt;
        return concession(job->prompt, "it came too late");
    }
    auto frame = answer(*job);
    if (const auto reason = done(job); !reason.empty() && reason != defaulted) {
        return std::nullopt;
    }
    return frame;
}

std::string Thinkers::Shared::fate(const Job& job) {
    const std::lock_guard lock{mutex_};
    return job.withdrawn;
}

std::string Thinkers::Shared::done(const std::shared_ptr<Job>& job) {
    const std::lock_guard lock{mutex_};
    asked_.erase(job);
    return job->withdrawn;
}

v1::ClientFrame Thinkers::Shared::answer(Job& job) {
    const std::lock_guard lock{job.seat->working};
    const View view = view_of(job.prompt, job.seat->match);
    auto decided = decide([&]() -> Bot& { return job.seat->bot(); }, view);
    if (auto* frame = std::get_if<v1::ClientFrame>(&decided)) return std::move(*frame);
    // The bot has no answer: say so at once, for silence would cost its clock.
    const auto& why = std::get<NoAnswer>(decided).why;
    log_(Level::error, "the bot failed: " + view.text() + "\n" + why);
    job.listener->blame(view);
    return concession(job.prompt, why);
}

}  // namespace ohhell
