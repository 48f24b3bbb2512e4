// SPIRV-Cross as one function. Its headers include another spirv.hpp, which conflicts with ours.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "coopc/translate.hpp"

namespace coopc::translating {

/// The layout of GLSL that a block has. SPIRV-Cross may have chosen another one for its text.
struct DeclaredLayout {
  uint32_t id = 0;  ///< of the variable, or of the structure that references point to
  bool variable = false;
  /// "std140", "std430", "scalar", where the text has no offsets; nullptr: none of them
  const char* implied = nullptr;
  const char* written = nullptr;  ///< the same for a text with offsets
};

/// Options for SPIRV-Cross beyond the language.
struct CrossRequest {
  ShadingLanguage language = ShadingLanguage::Glsl;
  std::string entryPoint;
  uint32_t executionModel = 0;          ///< of the entry point: spv::ExecutionModel
  uint32_t metalVersion = 300;          ///< 100 * major + 10 * minor
  std::vector<std::string> extensions;  ///< of GLSL
  std::vector<DeclaredLayout> layouts;  ///< of GLSL
};

/// The text, or SPIRV-Cross's reason for refusing the module, which must be valid and have the entry
/// point. May throw, crash, or not end: see runIsolated().
TranslateResult cross(std::vector<uint32_t> words, const CrossRequest& request);

}  // namespace coopc::translating
