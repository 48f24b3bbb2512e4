// What the systems that coopc is built for have under different names, or lack: paths, flags of open(), whether processes can be
// started.
#pragma once

#include <fcntl.h>
#include <string_view>
#ifndef _WIN32
#include <unistd.h>
#endif

// Windows starts processes otherwise, and a WebAssembly module cannot start any: what would need one says that it is missing.
#if defined(_WIN32) || defined(__EMSCRIPTEN__)
#define COOPC_STARTS_PROCESSES 0
#else
#define COOPC_STARTS_PROCESSES 1
#endif

namespace coopc {

#ifndef _WIN32
/// Two ends of a pipe that programs which are started do not get; false with errno set.
inline bool makePipe(int (&ends)[2]) {
#ifdef __APPLE__
  if (pipe(ends) != 0) return false;
  for (const int end : ends) fcntl(end, F_SETFD, FD_CLOEXEC);
  return true;
#else
  return pipe2(ends, O_CLOEXEC) == 0;
#endif
}
#endif

// For open(): bytes as they are, and not for programs that are started.
#ifdef _WIN32
inline constexpr int kOpenBinary = _O_BINARY | _O_NOINHERIT;
inline constexpr std::string_view kPathSeparators = "/\\";
#else
inline constexpr int kOpenBinary = O_CLOEXEC;
inline constexpr std::string_view kPathSeparators = "/";
#endif

/// Whether a character stands between the parts of a path.
inline bool isPathSeparator(char c) { return kPathSeparators.find(c) != std::string_view::npos; }

/// Whether a path does not depend on the current folder. Windows: of a drive (C:/...) or of the current one (/...).
inline bool isAbsolutePath(std::string_view path) {
  if (path.empty()) return false;
#ifdef _WIN32
  if (path.size() > 2 && path[1] == ':' && isPathSeparator(path[2])) return true;
#endif
  return isPathSeparator(path.front());
}

/// A path up to its last separator, which is in it; empty where there is none.
inline std::string_view pathFolder(std::string_view path) {
  const size_t last = path.find_last_of(kPathSeparators);
  return last == std::string_view::npos ? std::string_view{} : path.substr(0, last + 1);
}

}  // namespace coopc
