// Reads the list of compiles that was recorded when the tests were built.
#include "tests/llama/variants.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "tests/support/text_file.hpp"

namespace coopc::tests::llama {
namespace {

Variant fromArguments(const std::vector<std::string>& arguments) {
  Variant v;
  for (size_t i = 0; i < arguments.size(); ++i) {
    const std::string& a = arguments[i];
    if (a == "-o" && i + 1 < arguments.size()) {
      v.name = std::filesystem::path(arguments[++i]).stem().string();
      continue;
    }
    if (a == "-MF" && i + 1 < arguments.size()) {
      ++i;
      continue;
    }
    if (a == "-MD") continue;
    v.arguments.push_back(a);
    if (a == "-O") v.optimize = true;
    if (a.rfind("--target-env=", 0) == 0) v.targetEnv = a.substr(13);
    if (a.rfind("-D", 0) == 0) v.macros.push_back(a.substr(2));
    if (a[0] != '-') v.shader = a;
  }
  return v;
}

}  // namespace

coopc::TargetEnv Variant::env() const {
  if (targetEnv == "vulkan1.4") return coopc::TargetEnv::Vulkan1_4;
  if (targetEnv == "vulkan1.3") return coopc::TargetEnv::Vulkan1_3;
  if (targetEnv == "vulkan1.2") return coopc::TargetEnv::Vulkan1_2;
  if (targetEnv == "vulkan1.1") return coopc::TargetEnv::Vulkan1_1;
  return coopc::TargetEnv::Vulkan1_0;
}

std::vector<Variant> readVariants(const std::string& list) {
  // One argument a line; an empty line ends a compile.
  std::vector<Variant> variants;
  std::vector<std::string> arguments;
  std::ifstream in(list);
  for (std::string line; std::getline(in, line);) {
    if (!line.empty()) {
      arguments.push_back(line);
      continue;
    }
    variants.push_back(fromArguments(arguments));
    arguments.clear();
  }
  // The generator starts several compiles at once, so the recorded order is random.
  std::sort(variants.begin(), variants.end(),
            [](const Variant& a, const Variant& b) { return a.name < b.name; });
  return variants;
}

ShaderFolder::ShaderFolder(const std::string& path) {
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(path, error)) {
    const std::string extension = entry.path().extension().string();
    if (extension == ".comp" || extension == ".glsl")
      files_.emplace(entry.path().filename().string(), fileText(entry.path()));
  }
}

const std::string* ShaderFolder::text(std::string_view file) const {
  const auto it = files_.find(file);
  return it == files_.end() ? nullptr : &it->second;
}

coopc::Options optionsOf(const Variant& variant, const ShaderFolder& folder, coopc::Optimization level) {
  coopc::Options options;
  options.targetEnv = variant.env();
  options.optimization = level;
  for (const std::string& macro : variant.macros) {
    const size_t equal = macro.find('=');
    options.macros.push_back({macro.substr(0, equal),
                              equal == std::string::npos ? std::string("1") : macro.substr(equal + 1),
                              false});
  }
  options.include = [&folder](std::string_view name, bool, std::string_view,
                              uint32_t) -> std::optional<coopc::Include> {
    const std::string* text = folder.text(name);
    if (text == nullptr) return std::nullopt;
    return coopc::Include{std::string(name), *text};
  };
  return options;
}

}  // namespace coopc::tests::llama
