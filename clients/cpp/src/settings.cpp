#include "ohhell/settings.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cerrno>
#include <cstring>
#include <numeric>
#include <random>

#include "address.h"
#include "numbers.h"
#include "ohhell/errors.h"

namespace ohhell {
namespace {

/// What is wrong with the text of a setting, without its name.
struct WrongText {
    std::string why;
};

std::string quoted(const std::string& text) { return "\"" + text + "\""; }

std::string lower(std::string text) {
    for (char& letter : text) {
        letter = static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
    }
    return text;
}

std::string word(const std::string& text) {
    constexpr auto blank = " \t\r\n";
    const auto first = text.find_first_not_of(blank);
    if (first == std::string::npos) throw WrongText{"it is empty"};
    return text.substr(first, text.find_last_not_of(blank) - first + 1);
}

std::string address(const std::string& text, int least_port) {
    const auto read = Address::parse(word(text));
    if (!read || read->port < least_port)
        throw WrongText{quoted(text) + " is not HOST:PORT"};
    return read->with_port(read->port);
}

int between(const std::string& text, int low, int high) {
    if (const auto number = whole_number(text, low, high)) return *number;
    throw WrongText{quoted(text) + " is not a whole number " + std::to_string(low) + ".." +
                    std::to_string(high)};
}

/// The place of the text among the choices.
std::size_t one_of(const std::string& text, const std::vector<std::string>& choices) {
    const auto at = std::find(choices.begin(), choices.end(), lower(text));
    if (at != choices.end()) return static_cast<std::size_t>(at - choices.begin());
    std::string all;
    for (const auto& choice : choices) all += (all.empty() ? "" : ", ") + choice;
    throw WrongText{quoted(text) + " is none of " + all};
}

bool on_or_off(const std::string& text) { return one_of(text, {"off", "on"}) == 1; }

/// Reads to the end and closes.
std::string content_of(int descriptor, const std::string& called) {
    std::string content;
    std::array<char, 4096> part{};
    ssize_t count = 0;
    do {
        count = read(descriptor, part.data(), part.size());
        if (count > 0) content.append(part.data(), static_cast<std::size_t>(count));
    } while (count > 0 || (count < 0 && errno == EINTR));
    const int error = errno;
    close(descriptor);
    if (count < 0)
        throw WrongText{"cannot read from " + called + ": " + std::strerror(error)};
    return content;
}

std::string content_of_file(const std::string& path) {
    const int descriptor = open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (descriptor < 0 && errno == ENOENT) throw WrongText{"there is no file " + path};
    if (descriptor < 0)
        throw WrongText{"cannot open " + path + ": " + std::strerror(errno)};
    return content_of(descriptor, path);
}

/// One thing that may be set: flag --some-thing, variable OHHELL_BOT_SOME_THING.
struct Setting {
    std::string name;
    std::string help;  ///< empty where there is no flag
    void (*put)(Settings& to, const std::string& text);

    std::string flag() const {
        std::string flag = name;
        std::replace(flag.begin(), flag.end(), '_', '-');
        return "--" + flag;
    }

    std::string variable() const {
        std::string upper = name;
        for (char& letter : upper) {
            letter = static_cast<char>(std::toupper(static_cast<unsigned char>(letter)));
        }
        return prefix + upper;
    }

    static constexpr auto prefix = "OHHELL_BOT_";
};

using Text = const std::string&;

const std::vector<Setting> known{
    {"address", "where the service listens, HOST:PORT",
     [](Settings& to, Text text) { to.address = address(text, 1); }},
    // A token in a flag could be read by every user of the machine.
    {"token", "", [](Settings& to, Text text) { to.token = word(text); }},
    {"token_file", "file that holds the bot's token",
     [](Settings& to, Text text) { to.token = word(content_of_file(text)); }},
    {"token_fd", "descriptor from which to read the token once",
     [](Settings& to, Text text) {
         to.token = word(content_of(between(text, 0, 65'535), text));
     }},
    {"tls", "on: encrypt, and check the service's certificate",
     [](Settings& to, Text text) { to.tls = on_or_off(text); }},
    {"ca_file", "certificates to trust, PEM; turns TLS on",
     [](Settings& to, Text text) {
         content_of_file(text);
         to.tls = true;
         to.ca_file = text;
     }},
    {"instance", "name of this process among those of the bot",
     [](Settings& to, Text text) { to.instance = word(text); }},
    {"lane", "lane this process plays",
     [](Settings& to, Text text) { to.lane = between(text, 0, 255); }},
    {"workers", "prompts to have open at once",
     [](Settings& to, Text text) { to.workers = between(text, 1, 4096); }},
    {"threads", "threads to think in; 0 and 1 are the same",
     [](Settings& to, Text text) { to.threads = between(text, 0, 256); }},
    {"patience_s", "seconds to try to reach the service",
     [](Settings& to, Text text) {
         to.patience = std::chrono::seconds{between(text, 1, 86'400)};
     }},
    {"log", "how much to log: error, warning, info, debug",
     [](Settings& to, Text text) {
         to.log = static_cast<Level>(one_of(text, {"error", "warning", "info", "debug"}));
     }},
    {"on_error", "when the bot's own code fails: concede, stop",
     [](Settings& to, Text text) {
         to.on_error = static_cast<OnError>(one_of(text, {"concede", "stop"}));
     }},
    {"serve", "wait at HOST:PORT for the service to call",
     [](Settings& to, Text text) { to.serve = address(text, 0); }},
    {"certificate", "chain to show to the other end, PEM; encrypts",
     [](Settings& to, Text text) {
         content_of_file(text);
         to.tls = true;
         to.certificate = text;
     }},
    {"key", "the key of that certificate, PEM",
     [](Settings& to, Text text) {
         content_of_file(text);
         to.key = text;
     }},
    {"expose", "on: other machines may call, unencrypted",
     [](Settings& to, Text text) { to.expose = on_or_off(text); }},
};

/// The text of one setting, and what it is called where it was given.
struct Given {
    const Setting* setting;
    std::string called;
    std::string text;
};

/// How many letters are to be changed.
std::size_t distance(const std::string& a, const std::string& b) {
    std::vector<std::size_t> row(b.size() + 1);
    std::iota(row.begin(), row.end(), std::size_t{0});
    for (std::size_t i = 0; i < a.size(); ++i) {
        std::size_t diagonal = row[0];
        row[0] = i + 1;
        for (std::size_t j = 0; j < b.size(); ++j) {
            const std::size_t change = diagonal + (a[i] == b[j] ? 0 : 1);
            diagonal = row[j + 1];
            row[j + 1] = std::min({change, row[j] + 1, diagonal + 1});
        }
    }
    return row[b.size()];
}

std::string nearest(const std::string& variable) {
    const auto closer = [&](const Setting& a, const Setting& b) {
        return distance(variable, a.variable()) < distance(variable, b.variable());
    };
    return std::min_element(known.begin(), known.end(), closer)->variable();
}

std::vector<Given> from_variables(std::vector<std::string> variables) {
    std::sort(variables.begin(), variables.end());
    std::vector<Given> found;
    for (const auto& entry : variables) {
        if (!entry.starts_with(Setting::prefix)) continue;
        const auto equals = std::min(entry.find('='), entry.size());
        const auto name = entry.substr(0, equals);
        const auto setting =
            std::find_if(known.begin(), known.end(),
                         [&](const Setting& one) { return one.variable() == name; });
        if (setting == known.end()) {
            throw WrongSetting{name + " is not a setting of a bot; did you mean " +
                               nearest(name) + "?"};
        }
        found.push_back(
            {&*setting, name, entry.substr(std::min(equals + 1, entry.size()))});
    }
    return found;
}

std::vector<Given> from_flags(const std::vector<std::string>& flags) {
    std::vector<Given> found;
    for (std::size_t i = 0; i < flags.size(); ++i) {
        const auto equals = flags[i].find('=');
        const auto name = flags[i].substr(0, equals);
        const auto setting = std::find_if(
            known.begin(), known.end(),
            [&](const Setting& one) { return !one.help.empty() && one.flag() == name; });
        if (setting == known.end()) {
            throw WrongSetting{"unknown argument " + quoted(flags[i]) + "\n" + usage()};
        }
        if (equals != std::string::npos) {
            found.push_back({&*setting, name, flags[i].substr(equals + 1)});
        } else if (i + 1 < flags.size()) {
            found.push_back({&*setting, name, flags[++i]});
        } else {
            throw WrongSetting{name + " needs a value"};
        }
    }
    return found;
}

void put(Settings& to, const std::vector<Given>& source) {
    std::string tokens;
    for (const auto& one : source) {
        if (!one.setting->name.starts_with("token")) continue;
        if (!tokens.empty()) {
            throw WrongSetting{"give the token once, not as " + tokens + " and " +
                               one.called};
        }
        tokens = one.called;
    }
    for (const auto& one : source) {
        try {
            one.setting->put(to, one.text);
        } catch (const WrongText& wrong) {
            throw WrongSetting{one.called + ": " + wrong.why};
        }
    }
}

void check_encryption(const Settings& settings) {
    if (settings.certificate.empty() != settings.key.empty()) {
        throw WrongSetting{"--certificate and --key: give both, or neither"};
    }
    const bool encrypted = !settings.certificate.empty();
    if (settings.serve.empty()) return;
    if (!encrypted && !settings.expose && !Address::parse(settings.serve)->is_loopback()) {
        throw WrongSetting{"--serve " + settings.serve +
                           ": other machines could call the bot, and nothing is encrypted; "
                           "give --certificate and --key, or add --expose on"};
    }
}

}  // namespace

Settings Settings::defaults() {
    constexpr auto digits = "0123456789abcdef";
    Settings settings;
    std::random_device random;
    for (int i = 0; i < 16; ++i) settings.instance += digits[random() % 16];
    return settings;
}

Settings read_settings(const std::vector<std::string>& flags,
                       const std::vector<std::string>& variables, Settings settings) {
    put(settings, from_variables(variables));
    put(settings, from_flags(flags));
    check_encryption(settings);
    return settings;
}

std::string usage() {
    std::string text;
    for (const auto& setting : known) {
        if (setting.help.empty()) continue;
        auto flag = setting.flag();
        flag.resize(std::max<std::size_t>(flag.size(), 14), ' ');
        text += "  " + flag + " " + setting.help + "\n";
    }
    return text;
}

}  // namespace ohhell
