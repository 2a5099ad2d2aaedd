#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <stop_token>
#include <string>

#include "line.h"
#include "ohhell/settings.h"
#include "outbox.h"
#include "seats.h"
#include "thinking.h"

namespace ohhell {

/// How long a goodbye may take.
inline constexpr std::chrono::seconds goodbye_within{1};

/// How a stream ended.
enum class End {
    closed,      ///< by the service, without a word
    drained,     ///< by the service, as it had announced
    superseded,  ///< by another process with the same instance name
    stopped,     ///< by the bot, which was told to stop
    failed,      ///< with a status of gRPC
    no_welcome,  ///< by the bot, which was never welcomed
    fault        ///< by the bot's own code
};

struct Ending {
    End end = End::closed;
    std::string words;
    grpc::StatusCode code = grpc::StatusCode::OK;
};

/// One connection to the service, from Hello to its end: many tables on one line.
class Stream : public Listener, public std::enable_shared_from_this<Stream> {
  public:
    Stream(Line& line, Seats& seats, Thinkers& thinkers, const Settings& settings, Log log,
           std::string session_id)
        : line_(line),
          seats_(seats),
          thinkers_(thinkers),
          settings_(settings),
          log_(std::move(log)),
          session_id_(std::move(session_id)) {}

    /// Lasts until the stream ends; says goodbye where that is because of `stop`.
    Ending play(std::stop_token stop);

    /// The session to go on with.
    const std::string& session_id() const { return session_id_; }

    bool is_welcomed();

    void say(std::vector<v1::ClientFrame> frames) override {
        outbox_.add(std::move(frames));
    }
    bool is_over() override { return outbox_.is_closed(); }
    void blame(const View& view) override;

  private:
    void hello();
    void receive(std::vector<v1::ServerFrame>& frames);
    void welcome(const v1::Welcome& welcome);
    void heed(const v1::Notice& notice);
    void refused(const v1::AnswerResult& result);
    std::shared_ptr<Seat> seat_of(std::uint32_t handle) const;

    /// Ends the call where that is due: at `stop`, a fault, or without a welcome.
    void watch(std::stop_token stop, std::stop_token over);

    Line& line_;
    Seats& seats_;
    Thinkers& thinkers_;
    const Settings settings_;
    const Log log_;
    std::string session_id_;
    Outbox outbox_;
    std::map<std::uint32_t, std::shared_ptr<Seat>> handles_;
    End announced_ = End::closed;

    std::mutex mutex_;  ///< guards what follows
    std::condition_variable_any changed_;
    bool welcomed_ = false;
    bool is_unwelcome_ = false;
    bool leaving_ = false;
    std::string fault_;
};

}  // namespace ohhell
