// Properties of the terminal of the standard error, if there is one.
#pragma once

#include <cstdlib>
#include <cstring>
#include <unistd.h>

namespace coopc::tool {

/// Whether the standard error is a terminal that obeys control sequences. In builds it is usually not a
/// terminal; then the environment, which may be long, is not searched.
inline bool isTerminal() {
  if (isatty(STDERR_FILENO) == 0) return false;
  const char* terminal = std::getenv("TERM");
  return terminal != nullptr && std::strcmp(terminal, "dumb") != 0;
}

/// Whether to use colors: a non-empty NO_COLOR disables them (no-color.org).
inline bool hasColors() {
  if (!isTerminal()) return false;
  const char* none = std::getenv("NO_COLOR");
  return none == nullptr || *none == '\0';
}

}  // namespace coopc::tool
