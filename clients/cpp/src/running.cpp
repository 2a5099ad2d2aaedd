#include <grpcpp/grpcpp.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <mutex>
#include <random>
#include <thread>

#include "encryption.h"
#include "line.h"
#include "ohhell/errors.h"
#include "ohhell/run.h"
#include "seats.h"
#include "status.h"
#include "stream.h"
#include "thinking.h"

namespace ohhell {
namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;

constexpr milliseconds first_wait{100};
constexpr milliseconds longest_wait{5'000};
constexpr int interrupted = 130;

/// A call that the bot made.
class DialledIn : public Line {
  public:
    DialledIn(v1::ArenaService::Stub& service, grpc::ClientContext& context)
        : context_(context), call_(service.Connect(&context)) {}

    bool read(std::vector<v1::ServerFrame>& frames) override {
        v1::ConnectResponse message;
        if (!call_->Read(&message)) return false;
        take_frames(message, frames);
        return true;
    }

    bool write(std::vector<v1::ClientFrame> frames) override {
        return call_->Write(message_of<v1::ConnectRequest>(std::move(frames)));
    }

    void finish() override { call_->WritesDone(); }
    void cancel() override { context_.TryCancel(); }
    grpc::Status status() override { return call_->Finish(); }

  private:
    grpc::ClientContext& context_;
    std::unique_ptr<grpc::ClientReaderWriter<v1::ConnectRequest, v1::ConnectResponse>>
        call_;
};

std::shared_ptr<grpc::Channel> channel_to(
    const std::string& address,
    const std::shared_ptr<grpc::ChannelCredentials>& credentials) {
    grpc::ChannelArguments options;
    options.SetInt(GRPC_ARG_KEEPALIVE_TIME_MS, 20'000);
    options.SetInt(GRPC_ARG_KEEPALIVE_TIMEOUT_MS, 10'000);
    options.SetInt(GRPC_ARG_KEEPALIVE_PERMIT_WITHOUT_CALLS, 1);
    options.SetInt(GRPC_ARG_HTTP2_MAX_PINGS_WITHOUT_DATA, 0);
    options.SetMaxReceiveMessageSize(max_message_bytes);
    // Every connection is a new one: waiting between tries is done here.
    options.SetInt(GRPC_ARG_USE_LOCAL_SUBCHANNEL_POOL, 1);
    // The address is all there is to be known: nothing that a name server or the
    // environment says about it counts.
    options.SetInt(GRPC_ARG_SERVICE_CONFIG_DISABLE_RESOLUTION, 1);
    options.SetInt(GRPC_ARG_ENABLE_HTTP_PROXY, 0);
    return grpc::CreateCustomChannel(address, credentials, options);
}

bool is_useless_to_retry(grpc::StatusCode code) {
    switch (code) {
        case grpc::StatusCode::UNAUTHENTICATED:
        case grpc::StatusCode::PERMISSION_DENIED:
        case grpc::StatusCode::INVALID_ARGUMENT:
        case grpc::StatusCode::FAILED_PRECONDITION:
        case grpc::StatusCode::UNIMPLEMENTED:
            return true;
        default:
            return false;
    }
}

/// Not a part of any game: many bots must not come back at once.
milliseconds spread(milliseconds wait) {
    std::random_device random;
    return milliseconds{std::uniform_int_distribution<milliseconds::rep>{
        wait.count() * 8 / 10, wait.count() * 12 / 10}(random)};
}

/// False where it was told to stop before.
bool sleep(milliseconds time, std::stop_token stop) {
    std::mutex mutex;
    std::condition_variable_any never;
    std::unique_lock lock{mutex};
    never.wait_for(lock, stop, time, [] { return false; });
    return !stop.stop_requested();
}

/// One stream after the other.
class Connection {
  public:
    Connection(MakeBot make_bot, const Settings& settings, Log log)
        : settings_(settings),
          credentials_(credentials_of_caller(settings)),
          log_(log),
          seats_(std::move(make_bot), log),
          thinkers_(settings.threads, log) {}

    void keep(std::stop_token stop) {
        auto wait = first_wait;
        auto lost_at = steady_clock::now();
        std::string why;
        for (;;) {
            auto [ending, welcomed] = one_stream(stop);
            if (ending.end == End::fault) throw BotFailed{ending.words};
            if (stop.stop_requested()) return;
            if (ending.end == End::superseded) {
                throw Refused{ending.words + " (" + settings_.instance + ")"};
            }
            if (is_useless_to_retry(ending.code)) {
                throw Refused{settings_.address + ": " + ending.words};
            }
            if (welcomed) {
                wait = first_wait;
                lost_at = steady_clock::now();
            }
            if (!welcomed) ending.words += advice(settings_, ending.words);
            if (welcomed || ending.words != why) {
                log_(Level::warning, ending.words + ": trying again");
                why = ending.words;
            }
            if (steady_clock::now() - lost_at > settings_.patience) {
                throw GivenUp{settings_.address + " was out of reach for " +
                              std::to_string(settings_.patience.count()) + " s: " + why};
            }
            if (!sleep(spread(wait), stop)) return;
            wait = std::min(2 * wait, longest_wait);
        }
    }

  private:
    struct Past {
        Ending ending;
        bool welcomed;
    };

    Past one_stream(std::stop_token stop) {
        const auto service =
            v1::ArenaService::NewStub(channel_to(settings_.address, credentials_));
        grpc::ClientContext context;
        if (!settings_.token.empty()) {
            context.AddMetadata("authorization", "Bearer " + settings_.token);
        }
        // Once there is a call, it outlives the order to stop by its goodbye.
        std::optional<std::stop_callback<std::function<void()>>> unless_stopped{
            std::in_place, stop, [&] { context.TryCancel(); }};
        DialledIn line{*service, context};
        unless_stopped.reset();
        const auto stream =
            std::make_shared<Stream>(line, seats_, thinkers_, settings_, log_, session_id_);
        const Ending ending = stream->play(stop);
        session_id_ = stream->session_id();
        return {.ending = ending, .welcomed = stream->is_welcomed()};
    }

    const Settings settings_;
    const std::shared_ptr<grpc::ChannelCredentials> credentials_;
    const Log log_;
    Seats seats_;
    Thinkers thinkers_;
    std::string session_id_;
};

/// Ends a run at SIGTERM and ^C; a second one ends the process. To be made before there are
/// other threads, which are then left alone by these signals.
class StopSignal {
  public:
    StopSignal() {
        sigset_t signals;
        sigemptyset(&signals);
        sigaddset(&signals, SIGTERM);
        sigaddset(&signals, SIGINT);
        pthread_sigmask(SIG_BLOCK, &signals, nullptr);
        std::thread{[this, signals] {
            int received = 0;
            sigwait(&signals, &received);
            was_interrupt_ = received == SIGINT;
            stop_.request_stop();
            pthread_sigmask(SIG_UNBLOCK, &signals, nullptr);
            for (;;) pause();
        }}.detach();
    }

    std::stop_token token() const { return stop_.get_token(); }
    bool was_interrupt() const { return was_interrupt_; }

  private:
    std::stop_source stop_;
    std::atomic<bool> was_interrupt_ = false;
};

/// Without waiting for bots that think.
[[noreturn]] void leave(int exit_status) {
    std::cout.flush();
    std::cerr.flush();
    std::_Exit(exit_status);
}

[[noreturn]] void run_with(MakeBot make_bot, Settings settings, int argc, char** argv) {
    const std::vector<std::string> flags{argv + std::min(argc, 1), argv + argc};
    if (std::find(flags.begin(), flags.end(), "--help") != flags.end()) {
        std::cout << usage();
        leave(0);
    }
    // Everything that matters to a bot's owner is in its own log.
    setenv("GRPC_VERBOSITY", "NONE", 0);
    StopSignal signal;
    try {
        std::vector<std::string> variables;
        for (char** entry = environ; *entry != nullptr; ++entry)
            variables.push_back(*entry);
        settings = read_settings(flags, variables, std::move(settings));
        const Log log = log_to_stderr(settings.log);
        if (settings.serve.empty()) {
            connect(std::move(make_bot), settings, log, signal.token());
        } else {
            // Whoever started it reads where to call.
            listen(std::move(make_bot), settings, log, signal.token(),
                   [](const std::string& address) {
                       std::cout << "serving on " << address << std::endl;
                   });
        }
    } catch (const Error& error) {
        std::cerr << "ohhell_bot: " << error.what() << std::endl;
        leave(error.exit_status());
    }
    leave(signal.was_interrupt() ? interrupted : 0);
}

}  // namespace

void run(MakeBot make_bot, int argc, char** argv) {
    run_with(std::move(make_bot), Settings::defaults(), argc, argv);
}

void serve(MakeBot make_bot, const std::string& address, int argc, char** argv) {
    Settings settings = Settings::defaults();
    settings.serve = address;
    run_with(std::move(make_bot), std::move(settings), argc, argv);
}

void connect(MakeBot make_bot, const Settings& settings, Log log, std::stop_token stop) {
    Connection{std::move(make_bot), settings, std::move(log)}.keep(stop);
}

}  // namespace ohhell
