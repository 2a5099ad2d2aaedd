#pragma once

#include <grpcpp/grpcpp.h>

#include <array>
#include <string>

namespace ohhell {

/// The names of the codes of gRPC, by number.
inline constexpr std::array status_names{"OK",
                                         "CANCELLED",
                                         "UNKNOWN",
                                         "INVALID_ARGUMENT",
                                         "DEADLINE_EXCEEDED",
                                         "NOT_FOUND",
                                         "ALREADY_EXISTS",
                                         "PERMISSION_DENIED",
                                         "RESOURCE_EXHAUSTED",
                                         "FAILED_PRECONDITION",
                                         "ABORTED",
                                         "OUT_OF_RANGE",
                                         "UNIMPLEMENTED",
                                         "INTERNAL",
                                         "UNAVAILABLE",
                                         "DATA_LOSS",
                                         "UNAUTHENTICATED"};

inline std::string words_of(const grpc::Status& status) {
    const auto code = static_cast<std::size_t>(status.error_code());
    const std::string name =
        code < status_names.size() ? status_names[code] : std::to_string(code);
    return name + " " + status.error_message();
}

}  // namespace ohhell
