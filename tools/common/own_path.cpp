// Combines argv[0] with what the system reports.
#include "tools/common/own_path.hpp"

#include <string_view>

#include "base/running_program.hpp"
#include "base/system.hpp"

namespace coopc::tool {

std::string ownPath(const char* self) {
  if (std::string_view(self).find_first_of(kPathSeparators) != std::string_view::npos) return self;
  const std::string path = runningProgram();
  return path.empty() ? std::string(self) : path;
}

}  // namespace coopc::tool
