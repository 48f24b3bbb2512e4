// Modules as files, for the benchmarks that read them.
#pragma once

#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

#include "base/whole_file.hpp"
#include "spirv/reader.hpp"

namespace coopc::bench {

/// The words of a module's file; if it cannot be read, prints a message and returns none.
inline std::vector<uint32_t> readModuleFile(const std::string& path) {
  std::string bytes;
  std::string why = readFile(path, bytes);
  if (why.empty()) {
    spirv::ReadError error;
    auto words =
        spirv::wordsFromBytes({reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size()}, error);
    if (words) return std::move(*words);
    why = error.message;
  }
  std::fprintf(stderr, "%s: %s\n", path.c_str(), why.c_str());
  return {};
}

}  // namespace coopc::bench
