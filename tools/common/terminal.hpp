// What the terminal behind the standard error shows, if there is one.
#pragma once

#include <cstdlib>
#include <cstring>
#include <unistd.h>

namespace coopc::tool {

/// Whether the standard error is a terminal that obeys control sequences.
inline bool isTerminal() {
  const char* terminal = std::getenv("TERM");
  return isatty(STDERR_FILENO) != 0 && terminal != nullptr && std::strcmp(terminal, "dumb") != 0;
}

/// Whether it is to have colors: NO_COLOR, with any value but the empty one, says that it is not (no-color.org).
inline bool hasColors() {
  const char* none = std::getenv("NO_COLOR");
  return isTerminal() && (none == nullptr || *none == '\0');
}

}  // namespace coopc::tool
