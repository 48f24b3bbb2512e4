// What a program ends with: the standard output may not have taken what was written to it (a full disk, a closed pipe), and
// that must not look like success.
#pragma once

#include <cerrno>
#include <cstdio>
#include <cstring>

namespace coopc::tool {

/// `code`, the program's exit code; or `failure`, with a message, where the standard output could not take all.
inline int afterOutput(const char* program, int code, int failure) {
  const int reason = std::fflush(stdout) != 0 ? errno : 0;
  if (reason == 0 && std::ferror(stdout) == 0) return code;
  std::fprintf(stderr, "%s: error: cannot write to the standard output%s%s\n", program,
               reason != 0 ? ": " : "", reason != 0 ? std::strerror(reason) : "");
  return code != 0 ? code : failure;
}

}  // namespace coopc::tool
