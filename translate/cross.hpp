// SPIRV-Cross behind one function. Its headers include another spirv.hpp, which conflicts with ours.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "coopc/translate.hpp"

namespace coopc::translating {

/// The text, or SPIRV-Cross's reason for refusing the module, which must be valid and have the compute entry
/// point `entryPoint`.
TranslateResult cross(std::vector<uint32_t> words, ShadingLanguage language, const std::string& entryPoint);

}  // namespace coopc::translating
