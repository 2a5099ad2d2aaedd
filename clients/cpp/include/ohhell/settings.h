#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "ohhell/log.h"

namespace ohhell {

/// What follows when a bot's own code fails.
enum class OnError {
    concede,  ///< the table is told at once that there is no answer; the others go on
    stop      ///< the process ends with exit status 1
};

/// Where a bot process goes, and how.
struct Settings {
    std::string address = "127.0.0.1:50051";  ///< where the service listens, HOST:PORT
    std::string token;
    bool tls = false;
    std::string ca_file;   ///< PEM; empty: the system's
    std::string instance;  ///< tells this process from others of the bot
    int lane = 0;
    int workers = 1;  ///< prompts open at once
    int threads = 0;  ///< threads to think in; 0 and 1 are the same
    std::chrono::seconds patience{600};
    Level log = Level::info;
    OnError on_error = OnError::concede;
    std::string serve;  ///< where to wait for calls instead of making one; empty: nowhere
    std::string certificate;  ///< a chain, PEM, shown to the service or to who calls
    std::string key;          ///< of that certificate, PEM
    bool expose = false;      ///< other machines may call, unencrypted

    /// With a random name for the instance.
    static Settings defaults();
};

/// Reads flags over variables (NAME=TEXT) over what is there; throws WrongSetting for
/// whatever is unknown, malformed or contradictory.
Settings read_settings(const std::vector<std::string>& flags,
                       const std::vector<std::string>& variables, Settings settings);

/// The flags, a line each.
std::string usage();

}  // namespace ohhell
