#include "scripts.h"

#include <google/protobuf/util/json_util.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <ostream>
#include <stdexcept>

namespace ohhell::tests {
namespace {

using google::protobuf::Struct;
using google::protobuf::Value;
namespace json = google::protobuf::util;

void read(const std::string& text, google::protobuf::Message& message) {
    const auto status = json::JsonStringToMessage(text, &message);
    if (!status.ok())
        throw std::invalid_argument(std::string{status.message()} + ": " + text);
}

std::string text_of(const Value& value) {
    std::string text;
    const auto status = json::MessageToJsonString(value, &text);
    if (!status.ok()) throw std::invalid_argument(std::string{status.message()});
    return text;
}

Script script_of(const std::filesystem::path& path) {
    std::ifstream file{path};
    const Struct content = object_of({std::istreambuf_iterator<char>{file}, {}});
    const auto& fields = content.fields();
    Script script;
    script.name = path.stem();
    script.settings = Settings::defaults();
    for (const auto& [name, value] : fields.at("settings").struct_value().fields()) {
        const int number = static_cast<int>(value.number_value());
        if (name == "instance") script.settings.instance = value.string_value();
        if (name == "lane") script.settings.lane = number;
        if (name == "workers") script.settings.workers = number;
        if (name == "token") script.settings.token = value.string_value();
        if (name == "on_error" && value.string_value() == "stop") {
            script.settings.on_error = OnError::stop;
        }
    }
    const bool fails = fields.at("bot").string_value() == "fails";
    script.make_bot = fails ? maker<Fails>() : maker<Lowest>();
    script.dialled = fields.contains("dialled") && fields.at("dialled").bool_value();
    for (const auto& step : fields.at("steps").list_value().values()) {
        for (const auto& [kind, value] : step.struct_value().fields()) {
            if (kind != "about") script.steps.push_back({.kind = kind, .value = value});
        }
    }
    return script;
}

std::vector<Script> scripts_of_folder() {
    std::vector<Script> scripts;
    for (const auto& entry : std::filesystem::directory_iterator{SCRIPTS}) {
        if (entry.path().extension() == ".json") scripts.push_back(script_of(entry.path()));
    }
    if (scripts.empty()) throw std::runtime_error("no scripts in " SCRIPTS);
    std::sort(scripts.begin(), scripts.end(),
              [](const Script& a, const Script& b) { return a.name < b.name; });
    return scripts;
}

}  // namespace

Struct object_of(const std::string& json) {
    Struct object;
    read(json, object);
    return object;
}

template <class Frame>
std::vector<Frame> frames_of(const Value& value) {
    std::vector<Frame> frames;
    for (const auto& one : value.list_value().values()) {
        read(text_of(one), frames.emplace_back());
    }
    return frames;
}

template std::vector<v1::ClientFrame> frames_of(const Value&);
template std::vector<v1::ServerFrame> frames_of(const Value&);

std::ostream& operator<<(std::ostream& out, const Script& script) {
    return out << script.name;
}

std::vector<Script> read_scripts() {
    static const std::vector<Script> scripts = scripts_of_folder();
    return scripts;
}

int Lowest::bid(const View& view) {
    return *std::min_element(view.legal_bids.begin(), view.legal_bids.end());
}

Card Lowest::play(const View& view) { return lowest_first(view.legal_cards, view).front(); }

int Fails::bid(const View&) { throw std::runtime_error("the script says so"); }

}  // namespace ohhell::tests
