#pragma once

#include <functional>
#include <memory>
#include <stop_token>
#include <string>

#include "ohhell/bot.h"
#include "ohhell/log.h"
#include "ohhell/settings.h"

namespace ohhell {

/// Plays until the service is gone for good or the process is told to stop, and then ends
/// the process. With the setting serve it waits for calls of the service, as serve does.
/// Settings come from the program's flags and its environment.
[[noreturn]] void run(MakeBot make_bot, int argc, char** argv);

/// As run, but waits to be called: it prints where it listens, and takes one call a lane.
/// Port 0 takes a free one; the address is only the default of its setting, serve.
[[noreturn]] void serve(MakeBot make_bot, const std::string& address, int argc,
                        char** argv);

/// Runs bots of a class, a new one for each match.
template <class MyBot>
[[noreturn]] void run(int argc, char** argv) {
    run([] { return std::make_unique<MyBot>(); }, argc, argv);
}

/// Serves bots of a class, a new one for each match.
template <class MyBot>
[[noreturn]] void serve(const std::string& address, int argc, char** argv) {
    serve([] { return std::make_unique<MyBot>(); }, address, argc, argv);
}

/// Plays over one stream after the other, which look like one to the bots, until it is told
/// to stop; throws Refused, GivenUp, BotFailed or WrongSetting. A bot that is thinking then
/// is left to it, in a thread of its own.
void connect(MakeBot make_bot, const Settings& settings, Log log, std::stop_token stop);

/// Waits at settings.serve to be called and takes one call a lane, until it is told to
/// stop; throws WrongSetting or BotFailed. `ready` is told where it listens.
void listen(MakeBot make_bot, const Settings& settings, Log log, std::stop_token stop,
            const std::function<void(const std::string& address)>& ready);

}  // namespace ohhell
