// llama.cpp's shader generator: a program that runs a glslc once for each variant of a shader.
#pragma once

#include <string>
#include <vector>

#include "tests/support/process.hpp"

namespace coopc::tests::llama {

struct Generator {
  std::string program;
  std::string folder;  ///< of the shaders
  std::string output;  ///< folder: NAME.spv for each variant; must be there

  /// The .comp files of the folder, by name.
  std::vector<std::string> shaders() const;
  /// All variants of one shader, compiled by `glslc`.
  ProcessResult run(const std::string& glslc, const std::string& shader) const;
  /// The names of all variants, by the header that the generator writes when it compiles nothing; sorted.
  std::vector<std::string> announcedNames() const;
};

}  // namespace coopc::tests::llama
