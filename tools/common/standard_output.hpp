// The end of a program: if the standard output did not accept everything (a full disk, a closed pipe), that
// must not look like success.
#pragma once

#include <cerrno>
#include <cstdio>
#include <cstring>

namespace coopc::tool {

/// `code`, the program's exit code; or `failure`, with a message, if the standard output did not accept
/// everything.
inline int afterOutput(const char* program, int code, int failure) {
  const int reason = std::fflush(stdout) != 0 ? errno : 0;
  if (reason == 0 && std::ferror(stdout) == 0) return code;
  std::fprintf(stderr, "%s: error: cannot write to the standard output%s%s\n", program,
               reason != 0 ? ": " : "", reason != 0 ? std::strerror(reason) : "");
  return code != 0 ? code : failure;
}

}  // namespace coopc::tool
