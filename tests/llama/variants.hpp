// llama.cpp's Vulkan shaders as a list of compiles: those for which its generator calls glslc, one for each
// variant. The list is recorded at build time (record_variants.cpp). Tests and benchmarks read it here.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "coopc/coopc.hpp"

namespace coopc::tests::llama {

struct Variant {
  std::string name;                 ///< of the output without folder and .spv: "matmul_q4_0_f32"
  std::string shader;               ///< path of the .comp file
  std::string targetEnv;            ///< "vulkan1.2"
  bool optimize = false;            ///< the generator asks for -O
  std::vector<std::string> macros;  ///< "NAME=VALUE"
  /// all that glslc is given, without the program and without -MD, -MF FILE, -o FILE
  std::vector<std::string> arguments;

  std::string file() const { return shader.substr(shader.rfind('/') + 1); }  ///< "mul_mm.comp"
  coopc::TargetEnv env() const;
};

/// The recorded list, ordered by name. Empty when it cannot be read.
std::vector<Variant> readVariants(const std::string& list);

/// The texts of a folder's files, each read once. Const and thread-safe if the constructor's caller has read
/// all files.
class ShaderFolder {
 public:
  explicit ShaderFolder(const std::string& path);
  /// Null if there is no such file.
  const std::string* text(std::string_view file) const;
  const std::map<std::string, std::string, std::less<>>& files() const { return files_; }

 private:
  std::map<std::string, std::string, std::less<>> files_;
};

/// The options for compiling the variant in this process at `level`. Includes come from `folder`, which must
/// outlive them.
coopc::Options optionsOf(const Variant& variant, const ShaderFolder& folder, coopc::Optimization level);

/// One variant of each file for which `wanted` is true: the first by name.
template <typename Wanted>
std::vector<const Variant*> onePerFile(const std::vector<Variant>& variants, const Wanted& wanted) {
  std::map<std::string, const Variant*> chosen;
  for (const Variant& v : variants)
    if (wanted(v)) chosen.try_emplace(v.file(), &v);
  std::vector<const Variant*> list;
  list.reserve(chosen.size());
  for (const auto& [file, v] : chosen) list.push_back(v);
  return list;
}

}  // namespace coopc::tests::llama
