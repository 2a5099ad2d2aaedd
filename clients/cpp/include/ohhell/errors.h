#pragma once

#include <stdexcept>

namespace ohhell {

/// What may end a run, with the exit status that it has.
class Error : public std::runtime_error {
  public:
    int exit_status() const { return exit_status_; }

  protected:
    Error(const std::string& message, int exit_status)
        : std::runtime_error(message), exit_status_(exit_status) {}

  private:
    int exit_status_;
};

/// The bot's own code failed, and it was asked to stop then.
class BotFailed : public Error {
  public:
    explicit BotFailed(const std::string& message) : Error(message, 1) {}
};

/// A flag or variable is wrong.
class WrongSetting : public Error {
  public:
    explicit WrongSetting(const std::string& message) : Error(message, 2) {}
};

/// The service does not want this bot; trying again is useless.
class Refused : public Error {
  public:
    explicit Refused(const std::string& message) : Error(message, 2) {}
};

/// The service was out of reach for too long.
class GivenUp : public Error {
  public:
    explicit GivenUp(const std::string& message) : Error(message, 3) {}
};

}  // namespace ohhell
