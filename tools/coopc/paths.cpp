// Parts of paths, and their plain form.
#include "tools/coopc/paths.hpp"

#include <algorithm>
#include <vector>

namespace coopc::tool {

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
