// Reading and writing whole files. Interruption by a signal and short counts are not failures; other errors
// are reported in the system's words.
#include "tools/common/files.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <sys/stat.h>
#include <unistd.h>

#include "base/system.hpp"

namespace coopc::tool {

std::string readWhole(const std::string& path, std::string& bytes, size_t limit) {
  bytes.clear();
  const bool standard = path == "-";
  const int file = standard ? STDIN_FILENO : openFile(path, O_RDONLY);
  if (file < 0) return std::strerror(errno);
  struct stat info {};
  const bool known = fstat(file, &info) == 0 && S_ISREG(info.st_mode) && info.st_size > 0;
  // One byte more than the file's size, so that its end is seen without growing the buffer.
  size_t room = std::min(known ? static_cast<size_t>(info.st_size) : size_t{64} << 10, limit) + 1;
  size_t size = 0;
  std::string why;
  try {
    while (size <= limit) {
      if (size == room) room = std::min(room * 2, limit + 1);
      if (bytes.size() < room) bytes.resize(room);
      const ssize_t n = read(file, bytes.data() + size, room - size);
      if (n < 0 && errno == EINTR) continue;
      if (n < 0) why = std::strerror(errno);
      if (n <= 0) break;
      size += static_cast<size_t>(n);
    }
  } catch (...) {  // there is not enough memory for it
    if (!standard) close(file);
    throw;
  }
  if (!standard) close(file);
  bytes.resize(why.empty() ? size : 0);
  return why;
}

std::string writeWhole(const std::string& path, const void* data, size_t size) {
  const bool standard = path == "-";
  if (standard) std::fflush(stdout);  // earlier output must come first
  const int file = standard ? STDOUT_FILENO : openFile(path, O_WRONLY | O_CREAT | O_TRUNC);
  if (file < 0) return std::strerror(errno);
  const char* at = static_cast<const char*>(data);
  std::string why;
  while (size != 0 && why.empty()) {
    const ssize_t n = write(file, at, size);
    if (n < 0) {
      if (errno != EINTR) why = std::strerror(errno);
      continue;
    }
    at += n;
    size -= static_cast<size_t>(n);
  }
  if (!standard && close(file) != 0 && why.empty()) why = std::strerror(errno);
  return why;
}

}  // namespace coopc::tool
