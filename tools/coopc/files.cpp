// Reading and writing whole files.
#include "tools/coopc/files.hpp"

#include <cerrno>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace coopc::tool {
namespace {

bool readAll(int file, std::string& text) {
  struct stat info {};
  if (fstat(file, &info) != 0) return false;
  if (S_ISDIR(info.st_mode)) {
    errno = EISDIR;
    return false;
  }
  size_t size = 0;
  text.resize(S_ISREG(info.st_mode) && info.st_size > 0 ? static_cast<size_t>(info.st_size) + 1 : 16 * 1024);
  for (;;) {
    if (size == text.size()) text.resize(text.size() * 2);
    const ssize_t n = read(file, text.data() + size, text.size() - size);
    if (n < 0) {
      if (errno == EINTR) continue;
      return false;
    }
    if (n == 0) break;
    size += static_cast<size_t>(n);
  }
  text.resize(size);
  return true;
}

}  // namespace

bool readFile(const std::string& path, std::string& text) {
  if (path == "-") return readAll(STDIN_FILENO, text);
  const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) return false;
  const bool good = readAll(file, text);
  const int error = errno;
  close(file);
  errno = error;
  return good;
}

bool writeFile(const std::string& path, const void* data, size_t size) {
  const bool standard = path == "-";
  const int file =
      standard ? STDOUT_FILENO : open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (file < 0) return false;
  const char* at = static_cast<const char*>(data);
  bool good = true;
  while (size != 0) {
    const ssize_t n = write(file, at, size);
    if (n < 0) {
      if (errno == EINTR) continue;
      good = false;
      break;
    }
    at += n;
    size -= static_cast<size_t>(n);
  }
  const int error = errno;
  if (!standard && close(file) != 0) return false;
  errno = error;
  return good;
}

std::string_view folderOf(std::string_view path) {
  const size_t slash = path.rfind('/');
  return slash == std::string_view::npos ? std::string_view{} : path.substr(0, slash + 1);
}

std::string_view fileOf(std::string_view path) { return path.substr(folderOf(path).size()); }

}  // namespace coopc::tool
