// Parts of paths, and their plain form.
#include "tools/coopc/paths.hpp"

#include <algorithm>
#include <vector>

#include "base/system.hpp"
namespace coopc::tool {

std::string normalPath(std::string_view path) {
  std::vector<std::string_view> parts;
  for (size_t at = 0; at <= path.size();) {
    const size_t end = std::min(path.find_first_of(kPathSeparators, at), path.size());
    const std::string_view part = path.substr(at, end - at);
    at = end + 1;
    if (part.empty() || part == ".") continue;
    if (part == ".." && !parts.empty() && parts.back() != "..")
      parts.pop_back();
    else
      parts.push_back(part);
  }
  std::string out = !path.empty() && isPathSeparator(path.front()) ? "/" : "";
  for (const std::string_view part : parts) out.append(part) += '/';
  return out;
}

std::string_view fileOf(std::string_view path) { return path.substr(pathFolder(path).size()); }

}  // namespace coopc::tool
