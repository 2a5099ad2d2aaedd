#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "scripts.h"
#include "service.h"
#include "status.h"

namespace ohhell::tests {
namespace {

/// Decodes the standard alphabet of base64.
std::string bytes_of(const std::string& base64) {
    const std::string alphabet =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::string bytes;
    unsigned bits = 0;
    int count = 0;
    for (const char letter : base64) {
        if (letter == '=') break;
        bits = bits << 6 | static_cast<unsigned>(alphabet.find(letter));
        count += 6;
        if (count >= 8) {
            count -= 8;
            bytes += static_cast<char>(bits >> count & 0xff);
        }
    }
    return bytes;
}

grpc::StatusCode code_of(const std::string& name) {
    const auto found = std::find(status_names.begin(), status_names.end(), name);
    return static_cast<grpc::StatusCode>(found - status_names.begin());
}

/// Without what each library says in its own words, in an order of its own.
std::multiset<std::string> comparable(std::vector<v1::ClientFrame> frames) {
    std::multiset<std::string> texts;
    for (auto& frame : frames) {
        if (frame.has_hello()) {
            EXPECT_FALSE(frame.hello().software().empty());
            frame.mutable_hello()->clear_software();
        }
        if (frame.has_answer()) frame.mutable_answer()->clear_note();
        texts.insert(frame.ShortDebugString());
    }
    return texts;
}

void expect(Caller& stream, std::vector<v1::ClientFrame> wanted) {
    std::vector<v1::ClientFrame> heard;
    for (std::size_t i = 0; i < wanted.size(); ++i) heard.push_back(stream.heard.take());
    for (auto& frame : wanted) {
        if (frame.has_hello()) frame.mutable_hello()->set_software("some");
    }
    ASSERT_EQ(comparable(heard), comparable(wanted));
}

void conclude(Caller* stream, Running& run, const std::string& wanted) {
    if (wanted == "stopped") {
        if (stream->is_dialled()) stream->end(grpc::StatusCode::OK);
        const auto more = stream->heard.next();
        EXPECT_FALSE(more) << "after the goodbye: " << more->ShortDebugString();
    }
    EXPECT_EQ(run.ending(), wanted);
}

using Next = std::function<std::shared_ptr<Caller>(const std::vector<std::string>& wanted)>;

void follow(const Script& script, Running& run, const Next& next) {
    std::shared_ptr<Caller> stream;
    for (std::size_t i = 0; i < script.steps.size(); ++i) {
        const auto& [kind, value] = script.steps[i];
        SCOPED_TRACE("step " + std::to_string(i) + ": " + kind);
        if (kind == "stream") {
            std::vector<std::string> authorization;
            for (const auto& [name, token] : value.struct_value().fields()) {
                authorization.push_back(token.string_value());
            }
            stream = next(authorization);
        } else if (kind == "bot") {
            expect(*stream, frames_of<v1::ClientFrame>(value));
        } else if (kind == "service") {
            stream->tell(frames_of<v1::ServerFrame>(value));
        } else if (kind == "raw") {
            stream->tell_raw(bytes_of(value.string_value()));
        } else if (kind == "close") {
            stream->end(code_of(value.string_value()));
        } else if (kind == "stop") {
            run.stop();
        } else if (kind == "ends") {
            conclude(stream.get(), run, value.string_value());
        } else {
            FAIL() << "an unknown step";
        }
        if (testing::Test::HasFatalFailure()) return;
    }
}

class FrameScript : public testing::TestWithParam<Script> {};

TEST_P(FrameScript, IsFollowedByABotThatCalls) {
    const Script& script = GetParam();
    Arena arena;
    Settings settings = script.settings;
    settings.address = arena.address();
    const auto run = dial_in(script.make_bot, settings);
    follow(script, *run, [&](const std::vector<std::string>& wanted) {
        auto stream = arena.streams.take();
        EXPECT_EQ(stream->authorization, wanted);
        return stream;
    });
}

class DialledFrameScript : public testing::TestWithParam<Script> {};

TEST_P(DialledFrameScript, IsFollowedByABotThatIsCalled) {
    const Script& script = GetParam();
    const auto served = serve_bot(script.make_bot, script.settings);
    follow(script, *served.run, [&](const std::vector<std::string>&) {
        return dial(served.address, script.settings.lane);
    });
}

std::vector<Script> dialled_scripts() {
    auto scripts = read_scripts();
    std::erase_if(scripts, [](const Script& script) { return !script.dialled; });
    return scripts;
}

std::string name_of(const testing::TestParamInfo<Script>& info) {
    std::string name = info.param.name;
    std::replace(name.begin(), name.end(), '-', '_');
    return name;
}

INSTANTIATE_TEST_SUITE_P(All, FrameScript, testing::ValuesIn(read_scripts()), name_of);
INSTANTIATE_TEST_SUITE_P(All, DialledFrameScript, testing::ValuesIn(dialled_scripts()),
                         name_of);

}  // namespace
}  // namespace ohhell::tests
