// Runs a program and captures its output, with a time limit. For the tests' own runners.
#pragma once

#include <string>
#include <vector>

namespace coopc::tests {

struct ProcessResult {
  bool started = false;   ///< false: the program could not be run at all; `stderrText` says why
  bool timedOut = false;  ///< killed at the limit
  int exitCode = -1;      ///< if it exited by itself
  int signal = 0;         ///< the signal that ended it, or 0
  std::string stdoutText;
  std::string stderrText;

  bool exited() const { return started && !timedOut && signal == 0; }
};

// A file that discards everything written to it, and reads as empty.
#ifdef _WIN32
inline const std::string kNull = "NUL";
#else
inline const std::string kNull = "/dev/null";
#endif

/// Runs arguments[0] (looked up in PATH if it has no slash) in `folder` ("" for the current one) with the
/// file `input` as its standard input.
ProcessResult runProcess(const std::vector<std::string>& arguments, const std::string& folder,
                         int limitSeconds, const std::string& input = kNull);

}  // namespace coopc::tests
