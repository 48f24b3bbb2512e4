// If another dynamic loader runs the program, /proc/self/exe would name the loader: argv[0] gives its place.
#include "tools/cooprun/case_module.hpp"

#include <filesystem>
#include <unistd.h>

#include "vulkan/executor/module_info.hpp"

namespace coopc::cooprun {

namespace fs = std::filesystem;

std::string defaultCompiler(const char* self) {
  const fs::path path(self);
  if (path.has_parent_path()) {
    const fs::path beside = path.parent_path() / "coopc";
    if (access(beside.c_str(), X_OK) == 0) return beside.string();
  }
  return "coopc";
}

harness::Result<std::vector<uint32_t>> moduleOf(const harness::Case& subject, const std::string& stem,
                                                const std::string& folder,
                                                const harness::Compiler& compiler) {
  if (!folder.empty()) {
    const std::string path = (fs::path(folder) / (stem + ".spv")).string();
    std::error_code ignored;
    if (fs::exists(path, ignored)) return harness::readModuleFile(path);
    // With the program `false` as the compiler, nothing must be compiled.
    if (compiler.program == "false" && subject.module.empty())
      return harness::Error{path + ": there is no such module"};
  }
  return harness::obtainModule(subject, compiler);
}

}  // namespace coopc::cooprun
