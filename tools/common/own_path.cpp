// argv[0] against /proc/self/exe.
#include "tools/common/own_path.hpp"

#include <filesystem>
#include <string_view>

namespace coopc::tool {

std::string ownPath(const char* self) {
  if (std::string_view(self).find('/') != std::string_view::npos) return self;
  std::error_code failed;
  const std::filesystem::path path = std::filesystem::read_symlink("/proc/self/exe", failed);
  return failed ? std::string(self) : path.string();
}

}  // namespace coopc::tool
