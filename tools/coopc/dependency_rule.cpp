// Dependency rules: names with their escapes.
#include "tools/coopc/dependency_rule.hpp"

#include <string_view>

#include "base/file_path.hpp"
#include "base/system.hpp"

namespace coopc::tool {
namespace {

// A name in a make rule, as make and Ninja read it. A backslash escapes blanks, #, : and ; and is itself
// doubled only before these and at the end. The colon after a drive's letter stays as it is.
std::string makeName(const std::string& file) {
  std::string name;
  size_t backslashes = 0;  // directly before
  for (size_t i = 0; i < file.size(); ++i) {
    const char c = file[i];
    const bool letter = (file[0] >= 'a' && file[0] <= 'z') || (file[0] >= 'A' && file[0] <= 'Z');
    const bool drive = c == ':' && i == 1 && letter && i + 1 < file.size() && isPathSeparator(file[i + 1]);
    if (std::string_view(" \t#:;").find(c) != std::string_view::npos && !drive)
      name.append(backslashes + 1, '\\');
    if (c == '$') name += '$';
    name += c;
    backslashes = c == '\\' ? backslashes + 1 : 0;
  }
  return name.append(backslashes, '\\');
}

}  // namespace

std::string dependencyRule(const std::string& given, const std::string& made,
                           const std::vector<std::string>& files) {
  std::string rule = (given.empty() ? makeName(made) : given) + ":";
  for (const std::string& file : files) rule += ' ' + makeName(file);
  return rule + "\n";
}

}  // namespace coopc::tool
