// Features of a module that a language lacks, or that need options of SPIRV-Cross.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "coopc/translate.hpp"
#include "spirv/module.hpp"
#include "translate/cross.hpp"

namespace coopc::translating {

/// "", or the feature of the module that the language has no name for and that SPIRV-Cross translates
/// wrongly: it writes bfloat16 as half, and debugPrintfEXT unchanged.
std::string lacking(const spirv::Module& module, ShadingLanguage language);

/// "", or the reason why no constant buffer of HLSL has the layout of a uniform or push-constant block.
std::string findMisplacedConstants(const spirv::Module& module);

/// The extensions of GLSL that SPIRV-Cross leaves out, for subgroup operations on 8-, 16- and 64-bit numbers.
std::vector<std::string> glslExtensions(const spirv::Module& module);

/// The layouts of the module's blocks. If a uniform block has its layout only by GL_EXT_scalar_block_layout,
/// that is added to `extensions`.
std::vector<DeclaredLayout> glslLayouts(const spirv::Module& module, std::vector<std::string>& extensions);

/// The first version of Metal's language with all features that the module uses: 100 * major + 10 * minor.
uint32_t metalVersion(const spirv::Module& module);

/// Escapes strings of the module that become literals of the text (formats of debugPrintfEXT); SPIRV-Cross
/// writes their bytes unescaped.
void escapeStrings(spirv::Module& module);

/// "", or a part of the text that is not a program: SPIRV-Cross continues after an instruction or a type that
/// it does not support.
std::string findUnfinished(const std::string& text);

}  // namespace coopc::translating
