#pragma once

#include <grpcpp/grpcpp.h>

#include <chrono>
#include <condition_variable>
#include <deque>
#include <functional>
#include <future>
#include <memory>
#include <mutex>
#include <optional>
#include <stdexcept>
#include <stop_token>
#include <string>
#include <vector>

#include "ohhell/run.h"
#include "ohhell/v1/arena.grpc.pb.h"

namespace ohhell::tests {

inline constexpr std::chrono::seconds patience{30};

/// What one thread hands to another.
template <class Item>
class Queue {
  public:
    void put(Item item) {
        const std::lock_guard lock{mutex_};
        items_.push_back(std::move(item));
        some_.notify_all();
    }

    /// Nothing more will come.
    void close() {
        const std::lock_guard lock{mutex_};
        closed_ = true;
        some_.notify_all();
    }

    /// None at the end; throws where neither comes in time.
    std::optional<Item> next() {
        std::unique_lock lock{mutex_};
        if (!some_.wait_for(lock, patience, [&] { return !items_.empty() || closed_; })) {
            throw std::runtime_error("nothing came");
        }
        if (items_.empty()) return std::nullopt;
        Item item = std::move(items_.front());
        items_.pop_front();
        return item;
    }

    /// Throws also at the end.
    Item take() {
        auto item = next();
        if (!item) throw std::runtime_error("it is over");
        return *std::move(item);
    }

    std::size_t size() {
        const std::lock_guard lock{mutex_};
        return items_.size();
    }

  private:
    std::mutex mutex_;
    std::condition_variable some_;
    std::deque<Item> items_;
    bool closed_ = false;
};

/// The service's end of one call, whoever made it.
class Caller {
  public:
    virtual ~Caller() = default;

    virtual void tell(const std::vector<v1::ServerFrame>& frames) = 0;

    /// The message as bytes: there may be things in it that nobody knows.
    virtual void tell_raw(const std::string& bytes) = 0;

    virtual void end(grpc::StatusCode code) = 0;

    virtual bool is_dialled() const = 0;

    /// Frames of the bot; ends where the bot has closed its side.
    Queue<v1::ClientFrame> heard;

    std::vector<std::string> authorization;

  protected:
    template <class Message>
    void hear(Message& message) {
        if (message.frames_size() > 128) throw std::runtime_error("more than 128 frames");
        for (auto& frame : *message.mutable_frames()) heard.put(std::move(frame));
    }
};

/// A service that hands out the streams that bots open.
class Arena {
  public:
    explicit Arena(const std::shared_ptr<grpc::ServerCredentials>& credentials =
                       grpc::InsecureServerCredentials());
    ~Arena();

    std::string address() const { return "127.0.0.1:" + std::to_string(port_); }

    Queue<std::shared_ptr<Caller>> streams;

  private:
    class Service;

    std::unique_ptr<Service> service_;
    std::unique_ptr<grpc::Server> server_;
    int port_ = 0;
};

/// Calls a bot that waits to be called, again and again while the lane is taken.
std::shared_ptr<Caller> dial(const std::string& address, int lane,
                             const std::shared_ptr<grpc::ChannelCredentials>& credentials =
                                 grpc::InsecureChannelCredentials());

/// How a call for a lane is refused.
grpc::Status refusal(const std::string& address, const std::string& lane);

/// A bot at work; told to stop at the end of the test.
class Running {
  public:
    explicit Running(std::function<void(std::stop_token)> play);
    ~Running();

    void stop() { stop_.request_stop(); }

    /// As it is called in scripts; throws where the run does not end in time.
    std::string ending();

  private:
    std::stop_source stop_;
    std::future<void> over_;
};

/// A bot that dials in.
std::unique_ptr<Running> dial_in(MakeBot make_bot, Settings settings);

/// A bot that waits to be called, and where.
struct Served {
    std::unique_ptr<Running> run;
    std::string address;
};

Served serve_bot(MakeBot make_bot, Settings settings);

}  // namespace ohhell::tests
