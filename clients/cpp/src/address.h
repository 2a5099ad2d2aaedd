#pragma once

#include <optional>
#include <string>

namespace ohhell {

/// HOST:PORT, or [HOST]:PORT for IPv6.
struct Address {
    std::string host;
    int port = 0;

    static std::optional<Address> parse(const std::string& text);

    bool is_loopback() const;

    /// HOST:PORT with another port.
    std::string with_port(int other) const;

    /// Why nothing can listen there, in the system's words; empty where something could.
    std::string cannot_listen() const;
};

}  // namespace ohhell
