#pragma once

#include <fstream>
#include <iterator>
#include <string>

namespace ohhell {

/// All of a file; empty where it cannot be read.
inline std::string content_of(const std::string& path) {
    std::ifstream file{path, std::ios::binary};
    return {std::istreambuf_iterator<char>{file}, {}};
}

}  // namespace ohhell
