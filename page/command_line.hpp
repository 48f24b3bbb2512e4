// Command lines as the page's scripts pass them to both modules.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace coopc::page {

/// The words of a command line. In `words` they are separated by NULs.
inline std::vector<std::string> commandLine(const char* words, int size) {
  const std::string_view text(words, static_cast<size_t>(size));
  std::vector<std::string> line;
  for (size_t start = 0; start <= text.size();) {
    const size_t end = std::min(text.find('\0', start), text.size());
    line.emplace_back(text.substr(start, end - start));
    start = end + 1;
  }
  return line;
}

}  // namespace coopc::page
