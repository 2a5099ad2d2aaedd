#include "service.h"

#include <atomic>
#include <thread>

#include "ohhell/errors.h"

namespace ohhell::tests {
namespace {

const Log quiet = [](Level, std::string_view) {};

template <class Message>
Message message_of(const std::vector<v1::ServerFrame>& frames) {
    Message message;
    for (const auto& frame : frames) *message.add_frames() = frame;
    return message;
}

/// A call that a bot made.
class Taken : public Caller,
              public grpc::ServerBidiReactor<v1::ConnectRequest, v1::ConnectResponse> {
  public:
    explicit Taken(const grpc::CallbackServerContext& context) {
        const auto [first, last] = context.client_metadata().equal_range("authorization");
        for (auto one = first; one != last; ++one) {
            authorization.emplace_back(one->second.data(), one->second.size());
        }
    }

    /// Is kept until the call is done, whoever else has it.
    void begin(std::shared_ptr<Taken> self) {
        self_ = std::move(self);
        StartRead(&request_);
    }

    void tell(const std::vector<v1::ServerFrame>& frames) override {
        write(message_of<v1::ConnectResponse>(frames));
    }

    void tell_raw(const std::string& bytes) override {
        v1::ConnectResponse message;
        if (!message.ParseFromString(bytes)) throw std::invalid_argument("no message");
        write(message);
    }

    void end(grpc::StatusCode code) override {
        if (ended_.exchange(true)) return;
        Finish(code == grpc::StatusCode::OK ? grpc::Status::OK
                                            : grpc::Status{code, "the script says so"});
    }

    bool is_dialled() const override { return false; }

    void OnReadDone(bool ok) override {
        if (ok) {
            hear(request_);
            StartRead(&request_);
        } else {
            heard.close();
            end(grpc::StatusCode::OK);
        }
    }

    void OnWriteDone(bool) override { written_.put(true); }
    void OnDone() override { self_.reset(); }

  private:
    void write(v1::ConnectResponse message) {
        response_ = std::move(message);
        StartWrite(&response_);
        written_.take();
    }

    v1::ConnectRequest request_;
    v1::ConnectResponse response_;
    Queue<bool> written_;
    std::atomic<bool> ended_ = false;
    std::shared_ptr<Taken> self_;
};

/// A call to a bot.
class Made : public Caller {
  public:
    Made(const std::shared_ptr<grpc::Channel>& channel, const std::string& lane)
        : service_(v1::BotService::NewStub(channel)) {
        context_.AddMetadata("ohhell-lane", lane);
        context_.set_deadline(std::chrono::system_clock::now() + 2 * patience);
        call_ = service_->Play(&context_);
    }

    ~Made() override {
        context_.TryCancel();
        if (reader_.joinable()) reader_.join();
    }

    /// OK if the bot has taken the call.
    grpc::Status begin() {
        v1::PlayResponse first;
        if (!call_->Read(&first)) return call_->Finish();
        hear(first);
        reader_ = std::thread{[this] {
            for (v1::PlayResponse message; call_->Read(&message);) hear(message);
            heard.close();
            call_->Finish();
        }};
        return grpc::Status::OK;
    }

    void tell(const std::vector<v1::ServerFrame>& frames) override {
        call_->Write(message_of<v1::PlayRequest>(frames));
    }

    void tell_raw(const std::string& bytes) override {
        v1::PlayRequest message;
        if (!message.ParseFromString(bytes)) throw std::invalid_argument("no message");
        call_->Write(message);
    }

    void end(grpc::StatusCode code) override {
        if (code == grpc::StatusCode::OK) {
            call_->WritesDone();
        } else {
            context_.TryCancel();
        }
    }

    bool is_dialled() const override { return true; }

  private:
    std::unique_ptr<v1::BotService::Stub> service_;
    grpc::ClientContext context_;
    std::unique_ptr<grpc::ClientReaderWriter<v1::PlayRequest, v1::PlayResponse>> call_;
    std::thread reader_;
};

}  // namespace

class Arena::Service : public v1::ArenaService::CallbackService {
  public:
    explicit Service(Arena& arena) : arena_(arena) {}

    grpc::ServerBidiReactor<v1::ConnectRequest, v1::ConnectResponse>* Connect(
        grpc::CallbackServerContext* context) override {
        auto call = std::make_shared<Taken>(*context);
        call->begin(call);
        arena_.streams.put(call);
        return call.get();
    }

  private:
    Arena& arena_;
};

Arena::Arena(const std::shared_ptr<grpc::ServerCredentials>& credentials)
    : service_(std::make_unique<Service>(*this)) {
    grpc::ServerBuilder builder;
    builder.AddListeningPort("127.0.0.1:0", credentials, &port_);
    builder.RegisterService(service_.get());
    server_ = builder.BuildAndStart();
    if (!server_) throw std::runtime_error("no server");
}

Arena::~Arena() { server_->Shutdown(std::chrono::system_clock::now()); }

std::shared_ptr<Caller> dial(const std::string& address, int lane,
                             const std::shared_ptr<grpc::ChannelCredentials>& credentials) {
    const auto channel = grpc::CreateChannel(address, credentials);
    const auto until = std::chrono::steady_clock::now() + patience;
    while (std::chrono::steady_clock::now() < until) {
        auto call = std::make_shared<Made>(channel, std::to_string(lane));
        const auto status = call->begin();
        if (status.ok()) return call;
        if (status.error_code() != grpc::StatusCode::RESOURCE_EXHAUSTED) {
            throw std::runtime_error(status.error_message());
        }
    }
    throw std::runtime_error("the lane stays taken");
}

grpc::Status refusal(const std::string& address, const std::string& lane) {
    const auto channel = grpc::CreateChannel(address, grpc::InsecureChannelCredentials());
    return Made{channel, lane}.begin();
}

Running::Running(std::function<void(std::stop_token)> play)
    : over_(std::async(std::launch::async, [play = std::move(play),
                                            stop = stop_.get_token()] { play(stop); })) {}

Running::~Running() { stop(); }

std::string Running::ending() {
    if (over_.wait_for(patience) == std::future_status::timeout) {
        throw std::runtime_error("the run does not end");
    }
    try {
        over_.get();
        return "stopped";
    } catch (const BotFailed&) {
        return "fault";
    } catch (const Refused&) {
        return "refused";
    } catch (const GivenUp&) {
        return "given up";
    }
}

std::unique_ptr<Running> dial_in(MakeBot make_bot, Settings settings) {
    return std::make_unique<Running>(
        [=](std::stop_token stop) { connect(make_bot, settings, quiet, stop); });
}

Served serve_bot(MakeBot make_bot, Settings settings) {
    settings.serve = "127.0.0.1:0";
    std::promise<std::string> told;
    auto address = told.get_future();
    auto run =
        std::make_unique<Running>([=, told = std::make_shared<std::promise<std::string>>(
                                          std::move(told))](std::stop_token stop) {
            listen(make_bot, settings, quiet, stop,
                   [&](const std::string& where) { told->set_value(where); });
        });
    if (address.wait_for(patience) == std::future_status::timeout) {
        throw std::runtime_error("nobody listens");
    }
    return {.run = std::move(run), .address = address.get()};
}

}  // namespace ohhell::tests
