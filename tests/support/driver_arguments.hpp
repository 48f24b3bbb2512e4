// Answers of the test programs to command lines that ask for help or are wrong.
#pragma once

#include <cstdio>
#include <optional>
#include <string>

#include "tools/common/options.hpp"

namespace coopc::tests {

/// Called after walkArguments(). `fault` is "", or what is wrong with an argument or with the arguments as a
/// whole. Prints `help` on request or after a fault. Returns the exit code, or nothing if the program is to
/// continue.
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
