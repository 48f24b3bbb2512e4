// SPIRV-Cross, behind one function: its headers bring another spirv.hpp, which no file can have beside ours.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "coopc/translate.hpp"

namespace coopc::translating {

/// The text, or what SPIRV-Cross says against the module: a valid one with the compute entry point `entryPoint`.
TranslateResult cross(std::vector<uint32_t> words, ShadingLanguage language, const std::string& entryPoint);

}  // namespace coopc::translating
