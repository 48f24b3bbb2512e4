// What the terminal behind the standard error shows, if there is one.
#pragma once

#include <cstdlib>
#include <cstring>
#include <unistd.h>

namespace coopc::tool {

/// Whether the standard error is a terminal that obeys control sequences. In builds it is none, and the environment, which may be
/// long, is not searched.
inline bool isTerminal() {
  if (isatty(STDERR_FILENO) == 0) return false;
  const char* terminal = std::getenv("TERM");
  return terminal != nullptr && std::strcmp(terminal, "dumb") != 0;
}

/// Whether it is to have colors: NO_COLOR, with any value but the empty one, says that it is not (no-color.org).
inline bool hasColors() {
  if (!isTerminal()) return false;
  const char* none = std::getenv("NO_COLOR");
  return none == nullptr || *none == '\0';
}

}  // namespace coopc::tool
