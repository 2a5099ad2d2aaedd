#pragma once

#include <functional>
#include <string_view>

namespace ohhell {

enum class Level { error, warning, info, debug };

/// Takes lines from several threads.
using Log = std::function<void(Level, std::string_view)>;

/// Writes what is at least so important to standard error.
Log log_to_stderr(Level least);

}  // namespace ohhell
