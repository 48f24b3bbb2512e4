// Whole files, read and written by plain system calls: no streams, nothing to initialize, and each failure
// with the system's reason. A signal or a short count is not a failure. Texts that coopc compiles are read
// by the library's FileCache instead, in the form that the lexer needs.
#pragma once

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <string>
#include <string_view>
#include <sys/stat.h>
#include <unistd.h>

#include "base/system.hpp"

namespace coopc {

namespace whole_file_detail {

inline std::string readAll(int file, std::string& bytes, size_t limit) {
  struct stat info {};
  const bool known = fstat(file, &info) == 0 && S_ISREG(info.st_mode) && info.st_size > 0;
  // One byte more than the file should have, so that its end is seen without growing.
  size_t room = std::min(known ? static_cast<size_t>(info.st_size) : size_t{64} << 10, limit) + 1;
  size_t size = 0;
  std::string why;
  while (size <= limit) {
    if (size == room) room = std::min(room * 2, limit + 1);
    if (bytes.size() < room) bytes.resize(room);
    const ssize_t n = read(file, bytes.data() + size, room - size);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) why = std::strerror(errno);
    if (n <= 0) break;
    size += static_cast<size_t>(n);
  }
  bytes.resize(why.empty() ? size : 0);
  return why;
}

inline std::string write(int file, const void* data, size_t size) {
  return writeAll(file, {static_cast<const char*>(data), size}) ? std::string() : std::strerror(errno);
}

}  // namespace whole_file_detail

/// Reads a file into `bytes`. "", or why it cannot be read ("No such file or directory"). If the
/// file has more than `limit` bytes, `limit` + 1 are read, so that the caller notices.
[[nodiscard]] inline std::string readFile(const std::string& path, std::string& bytes,
                                          size_t limit = SIZE_MAX - 1) {
  bytes.clear();
  const int file = openFile(path, O_RDONLY);
  if (file < 0) return std::strerror(errno);
  std::string why;
  try {
    why = whole_file_detail::readAll(file, bytes, limit);
  } catch (...) {  // no memory for it
    close(file);
    throw;
  }
  close(file);
  return why;
}

/// Replaces a file. "", or why that failed; the file may then hold a part.
[[nodiscard]] inline std::string writeFile(const std::string& path, const void* data, size_t size) {
  const int file = openFile(path, O_WRONLY | O_CREAT | O_TRUNC);
  if (file < 0) return std::strerror(errno);
  std::string why = whole_file_detail::write(file, data, size);
  if (close(file) != 0 && why.empty()) why = std::strerror(errno);
  return why;
}

/// readFile() as programs name files: "-" is the standard input.
[[nodiscard]] inline std::string readWhole(const std::string& path, std::string& bytes,
                                           size_t limit = SIZE_MAX - 1) {
  if (path != "-") return readFile(path, bytes, limit);
  bytes.clear();
  return whole_file_detail::readAll(STDIN_FILENO, bytes, limit);
}

/// writeFile() as programs name files: "-" is the standard output.
[[nodiscard]] inline std::string writeWhole(const std::string& path, const void* data, size_t size) {
  if (path != "-") return writeFile(path, data, size);
  std::fflush(stdout);  // what was printed before comes first
  return whole_file_detail::write(STDOUT_FILENO, data, size);
}
[[nodiscard]] inline std::string writeWhole(const std::string& path, std::string_view text) {
  return writeWhole(path, text.data(), text.size());
}

}  // namespace coopc
