// How the programs among the tests answer a command line that they do not carry out.
#pragma once

#include <cstdio>
#include <optional>
#include <string>

#include "tools/common/options.hpp"

namespace coopc::tests {

/// After walkArguments(), with `fault` empty or what is wrong, also with the arguments as a whole: prints
/// `help`, on request or after an error. The exit code; nothing: go on.
inline std::optional<int> answerArguments(tool::Walked walked, const std::string& fault, const char* program,
                                          const std::string& help) {
  if (walked == tool::Walked::Stopped) {
    std::fputs(help.c_str(), stdout);
    return 0;
  }
  if (fault.empty()) return std::nullopt;
  std::fprintf(stderr, "%s: %s\n%s", program, fault.c_str(), help.c_str());
  return 2;
}

}  // namespace coopc::tests
