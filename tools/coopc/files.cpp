// Writing whole files, and parts of paths.
#include "tools/coopc/files.hpp"

#include <algorithm>
#include <cerrno>
#include <fcntl.h>
#include <unistd.h>
#include <vector>

namespace coopc::tool {

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

std::string normalPath(std::string_view path) {
  std::vector<std::string_view> parts;
  for (size_t at = 0; at <= path.size();) {
    const size_t end = std::min(path.find('/', at), path.size());
    const std::string_view part = path.substr(at, end - at);
    at = end + 1;
    if (part.empty() || part == ".") continue;
    if (part == ".." && !parts.empty() && parts.back() != "..")
      parts.pop_back();
    else
      parts.push_back(part);
  }
  std::string out = !path.empty() && path.front() == '/' ? "/" : "";
  for (const std::string_view part : parts) out.append(part) += '/';
  return out;
}

std::string_view folderOf(std::string_view path) {
  const size_t slash = path.rfind('/');
  return slash == std::string_view::npos ? std::string_view{} : path.substr(0, slash + 1);
}

std::string_view fileOf(std::string_view path) { return path.substr(folderOf(path).size()); }

}  // namespace coopc::tool
