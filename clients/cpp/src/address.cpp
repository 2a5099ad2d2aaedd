#include "address.h"

#include <arpa/inet.h>
#include <netdb.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "numbers.h"

namespace ohhell {

std::optional<Address> Address::parse(const std::string& text) {
    const auto colon = text.rfind(':');
    if (colon == std::string::npos) return std::nullopt;
    const auto port = whole_number(text.substr(colon + 1), 0, 65'535);
    auto host = text.substr(0, colon);
    if (host.size() > 2 && host.front() == '[' && host.back() == ']') {
        host = host.substr(1, host.size() - 2);
    } else if (host.find(':') != std::string::npos) {
        return std::nullopt;
    }
    if (!port || host.empty()) return std::nullopt;
    return Address{.host = host, .port = *port};
}

bool Address::is_loopback() const {
    in_addr four{};
    in6_addr six{};
    if (inet_pton(AF_INET, host.c_str(), &four) == 1) {
        return ntohl(four.s_addr) >> 24 == 127;
    }
    if (inet_pton(AF_INET6, host.c_str(), &six) == 1) return IN6_IS_ADDR_LOOPBACK(&six);
    return host == "localhost";
}

std::string Address::with_port(int other) const {
    const bool is_six = host.find(':') != std::string::npos;
    return (is_six ? "[" + host + "]" : host) + ":" + std::to_string(other);
}

std::string Address::cannot_listen() const {
    addrinfo hints{};
    hints.ai_socktype = SOCK_STREAM;
    hints.ai_flags = AI_PASSIVE;
    addrinfo* found = nullptr;
    if (const int wrong =
            getaddrinfo(host.c_str(), std::to_string(port).c_str(), &hints, &found)) {
        return gai_strerror(wrong);
    }
    std::string why;
    const int descriptor = socket(found->ai_family, found->ai_socktype, found->ai_protocol);
    const int on = 1;
    if (descriptor < 0 ||
        setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on) != 0 ||
        bind(descriptor, found->ai_addr, found->ai_addrlen) != 0 ||
        ::listen(descriptor, 1) != 0) {
        why = std::strerror(errno);
    }
    if (descriptor >= 0) close(descriptor);
    freeaddrinfo(found);
    return why;
}

}  // namespace ohhell
