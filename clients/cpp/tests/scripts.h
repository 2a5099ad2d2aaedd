#pragma once

#include <google/protobuf/struct.pb.h>

#include <iosfwd>
#include <memory>
#include <string>
#include <vector>

#include "ohhell/bot.h"
#include "ohhell/settings.h"
#include "ohhell/v1/frames.pb.h"

namespace ohhell::tests {

/// One thing that happens in a script.
struct Step {
    std::string kind;
    google::protobuf::Value value;
};

/// A file of tests/conformance/frames; README.md there is the format.
struct Script {
    std::string name;
    Settings settings;
    MakeBot make_bot;
    bool dialled = false;
    std::vector<Step> steps;
};

/// For the names of tests.
std::ostream& operator<<(std::ostream& out, const Script& script);

std::vector<Script> read_scripts();

/// Throws what is wrong with the text.
google::protobuf::Struct object_of(const std::string& json);

/// The frames of a step.
template <class Frame>
std::vector<Frame> frames_of(const google::protobuf::Value& value);

extern template std::vector<v1::ClientFrame> frames_of(const google::protobuf::Value&);
extern template std::vector<v1::ServerFrame> frames_of(const google::protobuf::Value&);

/// Plays without chance or judgement.
class Lowest : public Bot {
  public:
    int bid(const View& view) override;
    Card play(const View& view) override;
};

/// Throws whenever it is asked for a bid.
class Fails : public Lowest {
  public:
    int bid(const View& view) override;
};

template <class MyBot>
MakeBot maker() {
    return [] { return std::make_unique<MyBot>(); };
}

}  // namespace ohhell::tests
