// argv[0] gives the program's place. /proc/self/exe would name the loader if another dynamic loader runs the
// program.
#include "tools/cooprun/case_module.hpp"

#include <algorithm>
#include <cstddef>
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

std::string moduleName(const harness::Case& subject, size_t shader, const std::string& stem) {
  if (!subject.drawing && !subject.tracing) return stem;
  const vk::Stage* stage = subject.shaders[shader].stage;
  const auto before = std::count_if(subject.shaders.begin(), subject.shaders.begin() + std::ptrdiff_t(shader),
                                    [&](const harness::ShaderSpec& s) { return s.stage == stage; });
  return stem + (before == 0 ? "." : "." + std::to_string(before) + ".") + std::string(stage->ending);
}

harness::Result<std::vector<std::vector<uint32_t>>> modulesOf(const harness::Case& subject,
                                                              const std::string& stem,
                                                              const std::string& folder,
                                                              const harness::Compiler& compiler) {
  std::vector<std::vector<uint32_t>> modules;
  for (size_t i = 0; i < subject.shaders.size(); ++i) {
    const harness::ShaderSpec& shader = subject.shaders[i];
    const std::string path = (fs::path(folder) / (moduleName(subject, i, stem) + ".spv")).string();
    std::error_code ignored;
    const bool given = !folder.empty() && fs::exists(path, ignored);
    // The compiler `false` means that nothing may be compiled, so a missing module is an error.
    if (!folder.empty() && !given && compiler.program == "false" && shader.module.empty())
      return harness::Error{path + ": there is no such module"};
    auto words = given ? vk::readModuleFile(path) : harness::obtainModule(shader, subject.file, compiler);
    if (!words) return words.error();
    modules.push_back(std::move(*words));
  }
  return modules;
}

}  // namespace coopc::cooprun
