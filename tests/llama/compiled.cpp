// Compiles one variant with coopc in this process, and with the reference compiler.
#include "tests/llama/compiled.hpp"

#include <cstdlib>
#include <filesystem>
#include <system_error>
#include <unistd.h>

#include "harness/compile.hpp"
#include "vulkan/executor/module_info.hpp"

namespace coopc::tests::llama {

namespace fs = std::filesystem;
namespace hn = coopc::harness;

hn::Result<std::vector<uint32_t>> compiled(const Variant& variant, const ShaderFolder& folder,
                                           coopc::Optimization level) {
  const std::string* text = folder.text(variant.file());
  if (text == nullptr) return hn::Error{variant.name + ": there is no " + variant.file()};
  coopc::Result result = coopc::compile(*text, variant.file(), optionsOf(variant, folder, level));
  if (!result.ok) return hn::Error{variant.name + ": " + result.messages};
  return std::move(result.words);
}

hn::Result<std::vector<uint32_t>> compiledReversed(const Variant& variant, const ShaderFolder& folder) {
  Variant v = variant;
  v.macros.emplace_back("gl_WorkGroupID=(gl_NumWorkGroups - 1u - gl_WorkGroupID)");
  v.macros.emplace_back("gl_GlobalInvocationID=(gl_WorkGroupID * gl_WorkGroupSize + gl_LocalInvocationID)");
  auto words = compiled(v, folder, coopc::Optimization::None);
  if (words) return words;
  v.macros.pop_back();
  return compiled(v, folder, coopc::Optimization::None);
}

hn::Result<std::vector<uint32_t>> compiledByReference(const Variant& variant, const std::string& compiler) {
  std::string output = (fs::temp_directory_path() / "coopc-llama-XXXXXX").string();
  const int file = mkstemp(output.data());
  if (file < 0) return hn::Error{"no temporary file can be made"};
  close(file);
  std::vector<std::string> command{compiler};
  for (const std::string& a : variant.arguments)
    if (a != "-O") command.push_back(a);
  command.insert(command.end(), {"-O0", "-o", output});
  const hn::Result<hn::ProcessResult> ran = hn::runProcess(command, 120);
  hn::Result<std::vector<uint32_t>> words = vk::readModuleFile(output);
  std::error_code ignored;
  fs::remove(output, ignored);
  if (!ran) return ran.error();
  if (ran->exitCode != 0) return hn::Error{variant.name + ": the reference compiler: " + ran->output};
  if (!words) return hn::Error{variant.name + ": " + words.error().message};
  return words;
}

hn::Result<Modules> compiledByAll(const Variant& variant, const ShaderFolder& folder,
                                  const std::string& referenceCompiler) {
  Modules modules;
  for (size_t k = 0; k < kModules; ++k) {
    auto words =
        k == kReference
            ? compiledByReference(variant, referenceCompiler)
            : compiled(variant, folder, k == kPlain ? coopc::Optimization::None : coopc::Optimization::Speed);
    if (!words) return words.error();
    modules[k] = std::move(*words);
  }
  return modules;
}

}  // namespace coopc::tests::llama
