// Differences between the supported operating systems: files, paths, the command line, and whether processes
// can be started. Texts are UTF-8 everywhere.
#pragma once

#include <cerrno>
#include <fcntl.h>
#include <string>
#include <string_view>
#include <vector>
#ifdef _WIN32
#include <io.h>
#include <sys/stat.h>

#include "base/windows.hpp"
#endif
#include <unistd.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif

// Windows starts processes differently, and a WebAssembly module cannot start any. Features that need this
// report that it is missing.
#if defined(_WIN32) || defined(__EMSCRIPTEN__)
#define COOPC_STARTS_PROCESSES 0
#else
#define COOPC_STARTS_PROCESSES 1
#endif

namespace coopc {

#ifndef _WIN32
/// The two ends of a pipe, which child processes do not inherit. False, with errno set, if that fails.
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

/// open() in binary mode, for a file that child processes do not inherit. -1, with errno set, if that fails.
inline int openFile(const std::string& path, int flags) {
#ifdef _WIN32
  const std::wstring wide = toWide(path);
  const int file = _wopen(wide.c_str(), flags | _O_BINARY | _O_NOINHERIT, _S_IREAD | _S_IWRITE);
  // For a folder the C library reports that access is denied.
  if (file < 0 && errno == EACCES) {
    const DWORD attributes = GetFileAttributesW(wide.c_str());
    if (attributes != INVALID_FILE_ATTRIBUTES && (attributes & FILE_ATTRIBUTE_DIRECTORY) != 0) errno = EISDIR;
  }
  return file;
#else
  return open(path.c_str(), flags | O_CLOEXEC, 0666);
#endif
}

/// Writes to a file or pipe. False if a part could not be written, as where the other end is gone.
inline bool writeAll(int file, std::string_view bytes) {
  while (!bytes.empty()) {
    const auto written = write(file, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return false;
    bytes.remove_prefix(static_cast<size_t>(written));
  }
  return true;
}

/// The first call of a program: makes its standard streams binary, and returns the words of the command line,
/// beginning with the program's name.
inline std::vector<std::string> startProgram(int argc, char** argv) {
#ifdef _WIN32
  // The C library's words are in the system's code page, with * and ? expanded to file names.
  for (const int stream : {0, 1, 2}) _setmode(stream, _O_BINARY);
  if (wchar_t** const words = CommandLineToArgvW(GetCommandLineW(), &argc); words != nullptr) {
    std::vector<std::string> arguments;
    for (int i = 0; i < argc; ++i) arguments.push_back(toUtf8(words[i]));
    LocalFree(words);
    return arguments;
  }
#endif
  std::vector<std::string> arguments(argv, argv + argc);
  if (arguments.empty()) arguments.emplace_back();
  return arguments;
}

/// For a short-lived program: keeps freed memory for later allocations, because returning it to the system
/// and asking again costs more than many compiles.
inline void keepFreedMemory() {
#ifdef __GLIBC__
  mallopt(M_TOP_PAD, 1 << 20);
  mallopt(M_TRIM_THRESHOLD, 256 << 20);
  mallopt(M_MMAP_THRESHOLD, 32 << 20);
#endif
}

#ifdef _WIN32
inline constexpr std::string_view kPathSeparators = "/\\";
#else
inline constexpr std::string_view kPathSeparators = "/";
#endif

/// Whether a character separates the parts of a path.
inline bool isPathSeparator(char c) { return kPathSeparators.find(c) != std::string_view::npos; }

/// Whether a path is independent of the current folder. On Windows: with a drive (C:/...), or relative to the
/// current drive (/...).
inline bool isAbsolutePath(std::string_view path) {
  if (path.empty()) return false;
#ifdef _WIN32
  if (path.size() > 2 && path[1] == ':' && isPathSeparator(path[2])) return true;
#endif
  return isPathSeparator(path.front());
}

/// Whether a path names a device, to which any number of writers may write (NUL on Windows).
inline bool isDevicePath(std::string_view path) {
#ifdef _WIN32
  return path.size() == 3 && (path == "NUL" || path == "nul" || path == "Nul");
#else
  return path.substr(0, 5) == "/dev/";
#endif
}

/// A path up to and including its last separator; empty if it has none.
inline std::string_view pathFolder(std::string_view path) {
  const size_t last = path.find_last_of(kPathSeparators);
  return last == std::string_view::npos ? std::string_view{} : path.substr(0, last + 1);
}

}  // namespace coopc
