#include <grpcpp/grpcpp.h>

#include <condition_variable>
#include <map>
#include <mutex>

#include "address.h"
#include "encryption.h"
#include "line.h"
#include "numbers.h"
#include "ohhell/errors.h"
#include "ohhell/run.h"
#include "seats.h"
#include "status.h"
#include "stream.h"
#include "thinking.h"

namespace ohhell {
namespace {

/// Metadata of a call: the lane that it is for; without it, lane 0.
constexpr auto lane_key = "ohhell-lane";
constexpr int max_lane = 255;

using Call = grpc::ServerReaderWriter<v1::PlayResponse, v1::PlayRequest>;

/// A call that the bot took; it ends when its handler returns.
class Dialled : public Line {
  public:
    Dialled(grpc::ServerContext& context, Call& call) : context_(context), call_(call) {}

    bool read(std::vector<v1::ServerFrame>& frames) override {
        v1::PlayRequest message;
        if (!call_.Read(&message)) return false;
        take_frames(message, frames);
        return true;
    }

    bool write(std::vector<v1::ClientFrame> frames) override {
        return call_.Write(message_of<v1::PlayResponse>(std::move(frames)));
    }

    void finish() override {}
    void cancel() override { context_.TryCancel(); }

    grpc::Status status() override {
        return context_.IsCancelled() ? grpc::Status::CANCELLED : grpc::Status::OK;
    }

  private:
    grpc::ServerContext& context_;
    Call& call_;
};

std::optional<int> lane_of(const grpc::ServerContext& context) {
    const auto [first, end] = context.client_metadata().equal_range(lane_key);
    if (first == end) return 0;
    const auto& text = std::prev(end)->second;
    return whole_number({text.data(), text.size()}, 0, max_lane);
}

/// Takes one call a lane; lanes share nothing but the process.
class BotServer : public v1::BotService::Service {
  public:
    BotServer(MakeBot make_bot, const Settings& settings, Log log, std::stop_source end)
        : make_bot_(std::move(make_bot)),
          settings_(settings),
          log_(log),
          end_(std::move(end)),
          thinkers_(settings.threads, std::move(log)) {}

    grpc::Status Play(grpc::ServerContext* context, Call* call) override {
        const auto number = lane_of(*context);
        if (!number) {
            return {grpc::StatusCode::INVALID_ARGUMENT,
                    std::string{lane_key} + " is a number 0..255"};
        }
        Lane* const lane = take(*number);
        if (lane == nullptr) {
            return {grpc::StatusCode::RESOURCE_EXHAUSTED,
                    "lane " + std::to_string(*number) +
                        " of this bot process is in another call"};
        }
        Settings settings = settings_;
        settings.lane = *number;
        Dialled line{*context, *call};
        const auto stream = std::make_shared<Stream>(line, lane->seats, thinkers_, settings,
                                                     log_, lane->session_id);
        const Ending ending = stream->play(end_.get_token());
        log_(Level::info, "lane " + std::to_string(*number) + ": " + ending.words);
        const std::lock_guard lock{mutex_};
        lane->taken = false;
        lane->session_id = stream->session_id();
        if (ending.end == End::fault) {
            fault_ = ending.words;
            end_.request_stop();
        }
        return grpc::Status::OK;
    }

    /// What the bot failed at, if it was asked to stop then.
    std::string fault() {
        const std::lock_guard lock{mutex_};
        return fault_;
    }

  private:
    /// What outlives the calls for a lane.
    struct Lane {
        Seats seats;
        std::string session_id{};
        bool taken = false;
    };

    /// None where it is taken already.
    Lane* take(int number) {
        const std::lock_guard lock{mutex_};
        Lane& lane =
            lanes_.try_emplace(number, Lane{.seats = {make_bot_, log_}}).first->second;
        if (lane.taken) return nullptr;
        lane.taken = true;
        return &lane;
    }

    const MakeBot make_bot_;
    const Settings settings_;
    const Log log_;
    std::stop_source end_;
    Thinkers thinkers_;

    std::mutex mutex_;  ///< guards what follows
    std::map<int, Lane> lanes_;
    std::string fault_;
};

std::unique_ptr<grpc::Server> start(
    BotServer& service, const Address& address,
    const std::shared_ptr<grpc::ServerCredentials>& credentials, int& port) {
    grpc::ServerBuilder builder;
    builder.AddListeningPort(address.with_port(address.port), credentials, &port);
    builder.AddChannelArgument(GRPC_ARG_ALLOW_REUSEPORT, 0);
    builder.SetMaxReceiveMessageSize(max_message_bytes);
    // A caller that is gone without a word keeps its lane until a ping is missed.
    builder.AddChannelArgument(GRPC_ARG_KEEPALIVE_TIME_MS, 10'000);
    builder.AddChannelArgument(GRPC_ARG_KEEPALIVE_TIMEOUT_MS, 5'000);
    builder.AddChannelArgument(GRPC_ARG_KEEPALIVE_PERMIT_WITHOUT_CALLS, 1);
    builder.AddChannelArgument(GRPC_ARG_HTTP2_MIN_RECV_PING_INTERVAL_WITHOUT_DATA_MS,
                               9'000);
    builder.AddChannelArgument(GRPC_ARG_HTTP2_MAX_PINGS_WITHOUT_DATA, 0);
    builder.RegisterService(&service);
    return builder.BuildAndStart();
}

}  // namespace

void listen(MakeBot make_bot, const Settings& settings, Log log, std::stop_token stop,
            const std::function<void(const std::string& address)>& ready) {
    const auto address = Address::parse(settings.serve);
    if (!address) throw WrongSetting{"\"" + settings.serve + "\" is not HOST:PORT"};
    const auto credentials = credentials_of_called(settings);
    // gRPC does not say why it cannot.
    if (const auto why = address->cannot_listen(); !why.empty()) {
        throw WrongSetting{"cannot listen on " + settings.serve + ": " + why};
    }
    std::stop_source end;
    const std::stop_callback stop_too{stop, [&] { end.request_stop(); }};
    BotServer service{std::move(make_bot), settings, std::move(log), end};
    int port = 0;
    const auto server = start(service, *address, credentials, port);
    if (!server || port == 0) throw WrongSetting{"cannot listen on " + settings.serve};
    ready(address->with_port(port));

    std::mutex mutex;
    std::condition_variable_any ended;
    std::unique_lock lock{mutex};
    ended.wait(lock, end.get_token(), [] { return false; });
    // The goodbyes have their second.
    server->Shutdown(std::chrono::system_clock::now() + 2 * goodbye_within);
    server->Wait();
    if (const auto fault = service.fault(); !fault.empty()) throw BotFailed{fault};
}

}  // namespace ohhell
