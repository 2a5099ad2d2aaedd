#include <gtest/gtest.h>

#include <latch>
#include <memory>

#include "ohhell/errors.h"
#include "scripts.h"
#include "service.h"

namespace ohhell::tests {
namespace {

/// What a bot was asked, and when it may answer at the first table.
struct Gate {
    Queue<std::string> called;
    std::latch open{1};
};

/// Thinks about the first table until its gate is opened.
class Gated : public Lowest {
  public:
    explicit Gated(std::shared_ptr<Gate> gate) : gate_(std::move(gate)) {}

    int bid(const View& view) override {
        gate_->called.put(view.match->table);
        if (view.match->table == "t1") gate_->open.wait();
        return 1;
    }

    void match_start(const Match& match) override {
        gate_->called.put("start " + match.table);
    }
    void match_end(const Result& result) override {
        gate_->called.put("end " + result.match->table);
    }

  private:
    std::shared_ptr<Gate> gate_;
};

using Frames = std::vector<v1::ServerFrame>;

v1::ServerFrame assigned(std::uint32_t handle, const std::string& table) {
    v1::ServerFrame frame;
    auto& seat = *frame.mutable_seat();
    seat.set_handle(handle);
    seat.set_table(table);
    seat.set_rules_hash("h");
    seat.mutable_rules()->set_players(3);
    return frame;
}

v1::ServerFrame asked(std::uint32_t handle, std::uint32_t seq) {
    v1::ServerFrame frame;
    auto& prompt = *frame.mutable_prompt();
    prompt.set_handle(handle);
    prompt.set_seq(seq);
    prompt.set_ask(v1::ASK_BID);
    prompt.set_attempt(1);
    prompt.add_legal_bids(0);
    prompt.add_legal_bids(1);
    return frame;
}

v1::ServerFrame withdrawn(std::uint32_t handle, std::uint32_t seq,
                          const std::string& reason) {
    v1::ServerFrame frame;
    auto& taken = *frame.mutable_withdrawn();
    taken.set_handle(handle);
    taken.set_seq(seq);
    taken.set_reason(reason);
    return frame;
}

v1::ServerFrame beat(std::uint32_t nonce) {
    v1::ServerFrame frame;
    frame.mutable_heartbeat()->set_nonce(nonce);
    return frame;
}

v1::ServerFrame welcome(bool resumed) {
    v1::ServerFrame frame;
    frame.mutable_welcome()->set_session_id("s1");
    frame.mutable_welcome()->set_resumed(resumed);
    return frame;
}

Settings settings_for(const std::string& address) {
    Settings settings = Settings::defaults();
    settings.address = address;
    settings.workers = 4;
    return settings;
}

/// A service with one bot that has connected.
struct Met {
    explicit Met(MakeBot make_bot, int threads = 0) {
        Settings settings = settings_for(arena.address());
        settings.threads = threads;
        run = dial_in(std::move(make_bot), settings);
        stream = next(false);
    }

    std::shared_ptr<Caller> next(bool resumed) {
        auto taken = arena.streams.take();
        taken->heard.take();
        taken->tell({welcome(resumed)});
        return taken;
    }

    v1::Answer answer() { return stream->heard.take().answer(); }

    /// Everything sent before has been received.
    void is_there() {
        stream->tell({beat(99)});
        EXPECT_EQ(stream->heard.take().pong().nonce(), 99U);
    }

    Arena arena;
    std::unique_ptr<Running> run;
    std::shared_ptr<Caller> stream;
};

/// A gate that is open at the end of the test in any case, so that no thread waits on.
class Stream : public testing::Test {
  protected:
    void TearDown() override {
        if (!gate->open.try_wait()) gate->open.count_down();
    }

    MakeBot gated() {
        return [gate = gate] { return std::make_unique<Gated>(gate); };
    }

    void expect_called(const std::vector<std::string>& wanted) {
        for (const auto& one : wanted) EXPECT_EQ(gate->called.take(), one);
    }

    std::shared_ptr<Gate> gate = std::make_shared<Gate>();
};

TEST_F(Stream, HeartbeatsAreAnsweredWhileABotThinks) {
    Met met{gated()};
    met.stream->tell({assigned(1, "t1"), asked(1, 7), beat(3)});
    EXPECT_EQ(met.stream->heard.take().pong().nonce(), 3U);
    gate->open.count_down();
    EXPECT_EQ(met.answer().bid(), 1U);
}

TEST_F(Stream, OneThreadNeverRunsTwoBotsAtTheSameTime) {
    Met met{gated(), 1};
    met.stream->tell({assigned(1, "t1"), assigned(2, "t2"), asked(1, 7)});
    expect_called({"start t1", "t1"});
    met.stream->tell({asked(2, 7)});
    met.is_there();
    EXPECT_EQ(gate->called.size(), 0U);
}

TEST_F(Stream, SeveralThreadsThinkAboutSeveralTables) {
    Met met{gated(), 2};
    met.stream->tell({assigned(1, "t1"), assigned(2, "t2"), asked(1, 7)});
    expect_called({"start t1", "t1"});
    met.stream->tell({asked(2, 7)});
    EXPECT_EQ(met.answer().handle(), 2U);
}

TEST_F(Stream, WhatWasWithdrawnWhileThinkingIsNotAnswered) {
    Met met{gated()};
    met.stream->tell({assigned(1, "t1"), assigned(2, "t2"), asked(1, 7), asked(2, 3)});
    met.stream->tell(
        {withdrawn(1, 7, "AMENDED"), withdrawn(2, 3, "CANCELLED"), asked(1, 8)});
    met.is_there();
    gate->open.count_down();
    EXPECT_EQ(met.answer().seq(), 8U);
}

TEST_F(Stream, WhatExpiredIsAnsweredNeverthelessForTheTableWaitsToHearIt) {
    Met met{gated()};
    met.stream->tell({assigned(1, "t1"), assigned(2, "t2"), asked(1, 7)});
    expect_called({"start t1", "t1"});
    met.stream->tell(
        {asked(2, 3), withdrawn(1, 7, "DEFAULTED"), withdrawn(2, 3, "DEFAULTED")});
    met.is_there();
    gate->open.count_down();
    const auto begun = met.answer();
    EXPECT_EQ(begun.handle(), 1U);
    EXPECT_EQ(begun.bid(), 1U);
    const auto not_begun = met.answer();
    EXPECT_EQ(not_begun.handle(), 2U);
    EXPECT_EQ(not_begun.action_case(), v1::Answer::ACTION_NOT_SET);
}

TEST_F(Stream, ABotIsToldOfItsMatchOnceAlsoWhenTheStreamIsLost) {
    gate->open.count_down();
    Met met{gated()};
    met.stream->tell({assigned(1, "t1"), asked(1, 7)});
    met.answer();
    met.stream->end(grpc::StatusCode::UNAVAILABLE);
    met.stream = met.next(true);
    v1::ServerFrame ended;
    ended.mutable_ended()->set_handle(9);
    ended.mutable_ended()->set_reason(v1::END_REASON_PLAYED);
    met.stream->tell({assigned(9, "t1"), asked(9, 8), ended});
    met.answer();
    expect_called({"start t1", "t1", "t1", "end t1"});
}

TEST_F(Stream, ABotThatThinksKeepsNobodyFromLeaving) {
    Met met{gated()};
    met.stream->tell({assigned(1, "t1"), asked(1, 7)});
    expect_called({"start t1", "t1"});
    met.run->stop();
    EXPECT_EQ(met.run->ending(), "stopped");
}

TEST_F(Stream, AFailureIsNotedForTheBotsOwnLog) {
    Met met{maker<Fails>()};
    met.stream->tell({assigned(1, "t1"), asked(1, 7)});
    EXPECT_EQ(met.answer().note(), "the script says so");
}

class ThrowsANumber : public Lowest {
  public:
    int bid(const View&) override { throw 7; }
};

TEST_F(Stream, ABotMayThrowAnything) {
    Met met{maker<ThrowsANumber>()};
    met.stream->tell({assigned(1, "t1"), asked(1, 7)});
    EXPECT_EQ(met.answer().action_case(), v1::Answer::ACTION_NOT_SET);
}

TEST_F(Stream, ABotThatCannotBeMadeHasNoAnswer) {
    Met met{[]() -> std::unique_ptr<Bot> { throw std::runtime_error("no bot"); }};
    met.stream->tell({assigned(1, "t1"), asked(1, 7)});
    EXPECT_EQ(met.answer().note(), "no bot");
}

class BidsBelowZero : public Lowest {
  public:
    int bid(const View&) override { return -1; }
};

TEST_F(Stream, WhatIsNoNumberOfTricksIsNotSent) {
    Met met{maker<BidsBelowZero>()};
    met.stream->tell({assigned(1, "t1"), asked(1, 7)});
    EXPECT_EQ(met.answer().note(), "bid returned -1, which is no number of tricks");
}

TEST(Connecting, ABotGivesUpWhenItsPatienceIsOver) {
    Settings settings = settings_for("127.0.0.1:1");
    settings.patience = std::chrono::seconds{0};
    EXPECT_EQ(dial_in(maker<Lowest>(), settings)->ending(), "given up");
}

TEST(Connecting, ABotThatIsStoppedBeforeItReachedAnybodyEnds) {
    const auto run = dial_in(maker<Lowest>(), settings_for("127.0.0.1:1"));
    run->stop();
    EXPECT_EQ(run->ending(), "stopped");
}

TEST(Serving, ALaneIsANumberAndHasOneCaller) {
    const auto served = serve_bot(maker<Lowest>(), Settings::defaults());
    const auto first = dial(served.address, 3);
    EXPECT_EQ(first->heard.take().hello().lane(), 3U);
    EXPECT_EQ(refusal(served.address, "3").error_code(),
              grpc::StatusCode::RESOURCE_EXHAUSTED);
    for (const auto* lane : {"-1", "256", "x", ""}) {
        EXPECT_EQ(refusal(served.address, lane).error_code(),
                  grpc::StatusCode::INVALID_ARGUMENT)
            << lane;
    }
}

TEST(Serving, APortThatIsTakenIsNamed) {
    const Arena arena;
    Settings settings = Settings::defaults();
    settings.serve = arena.address();
    try {
        listen(
            maker<Lowest>(), settings, [](Level, std::string_view) {}, {},
            [](const std::string&) { ADD_FAILURE(); });
        FAIL() << "it listens";
    } catch (const WrongSetting& error) {
        EXPECT_NE(std::string{error.what()}.find("Address already in use"),
                  std::string::npos)
            << error.what();
    }
}

}  // namespace
}  // namespace ohhell::tests
