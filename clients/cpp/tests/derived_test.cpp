#include <google/protobuf/util/message_differencer.h>
#include <gtest/gtest.h>

#include <deque>
#include <fstream>
#include <map>

#include "scripts.h"
#include "seats.h"
#include "wire.h"

namespace ohhell::tests {
namespace {

using google::protobuf::Struct;
using google::protobuf::Value;

Value value_of(double number) {
    Value value;
    value.set_number_value(number);
    return value;
}

Value value_of(bool truth) {
    Value value;
    value.set_bool_value(truth);
    return value;
}

Value value_of(int number) { return value_of(static_cast<double>(number)); }
Value value_of(std::uint32_t number) { return value_of(static_cast<double>(number)); }
Value value_of(Card card) { return value_of(card.code()); }
Value value_of(const Played& played);

template <class Item>
Value value_of(const std::vector<Item>& items) {
    Value value;
    auto& list = *value.mutable_list_value();
    for (const auto item : items) *list.add_values() = value_of(item);
    return value;
}

Value value_of(const Played& played) {
    return value_of(std::vector<int>{played.seat, played.card.code()});
}

template <class Item>
Value value_of(const std::optional<Item>& item) {
    if (item) return value_of(*item);
    Value value;
    value.set_null_value(google::protobuf::NULL_VALUE);
    return value;
}

/// What the view says, as a line of derived.jsonl.
Struct derived_from(const std::string& script, const View& view) {
    Struct says;
    auto& fields = *says.mutable_fields();
    fields["script"].set_string_value(script);
    fields["seq"] = value_of(view.seq);
    fields["handle"] = value_of(view.handle);
    fields["trick"] = value_of(view.trick());
    fields["led_suit"] = value_of(static_cast<int>(view.led_suit()));
    fields["position"] = value_of(view.position());
    fields["plays_last"] = value_of(view.plays_last());
    fields["winner_so_far"] = value_of(view.winner_so_far());
    fields["my_bid"] = value_of(view.my_bid());
    fields["my_tricks"] = value_of(view.my_tricks());
    fields["needed"] = value_of(view.needed());
    fields["tricks_left"] = value_of(view.tricks_left());
    fields["unseen"] = value_of(view.unseen());
    std::vector<int> strength;
    fields["wins"].mutable_list_value();
    for (const Card card : view.hand) {
        strength.push_back(view.match->rules->strength(card));
        *fields["wins"].mutable_list_value()->add_values() =
            value_of(std::vector<bool>{view.wins(card), view.wins(card, JokerCall::high),
                                       view.wins(card, JokerCall::low)});
    }
    fields["strength"] = value_of(strength);
    const std::uint32_t first = view.rng().word();
    fields["words"] = value_of(std::vector<std::uint32_t>{first, view.rng().word()});
    return says;
}

std::deque<View> views_of(const Script& script) {
    Seats seats{script.make_bot, [](Level, std::string_view) {}};
    std::map<std::uint32_t, std::shared_ptr<Seat>> handles;
    std::deque<View> views;
    for (const auto& [kind, value] : script.steps) {
        if (kind != "service") continue;
        for (const auto& frame : frames_of<v1::ServerFrame>(value)) {
            if (frame.has_seat())
                handles[frame.seat().handle()] = seats.assign(frame.seat());
            if (frame.has_prompt()) {
                const auto& match = handles.at(frame.prompt().handle())->match;
                views.push_back(view_of(frame.prompt(), match));
            }
        }
    }
    return views;
}

TEST(Views, SayWhatTheySayInEveryLanguage) {
    std::map<std::string, Script> scripts;
    for (auto& script : read_scripts()) scripts[script.name] = script;
    std::map<std::string, std::deque<View>> left;
    std::ifstream file{SCRIPTS "/derived.jsonl"};
    int number = 0;
    for (std::string line; std::getline(file, line);) {
        const Struct kept = object_of(line);
        const std::string name = kept.fields().at("script").string_value();
        if (!left.contains(name)) left[name] = views_of(scripts.at(name));
        ASSERT_FALSE(left[name].empty()) << name << " has fewer prompts";
        const View view = left[name].front();
        left[name].pop_front();
        const Struct says = derived_from(name, view);
        EXPECT_TRUE(google::protobuf::util::MessageDifferencer::Equals(says, kept))
            << "line " << ++number << ": " << view.text() << "\n"
            << says.ShortDebugString() << "\nnot\n"
            << kept.ShortDebugString();
    }
    EXPECT_FALSE(left.empty());
    for (const auto& [name, views] : left) EXPECT_TRUE(views.empty()) << name;
}

}  // namespace
}  // namespace ohhell::tests
