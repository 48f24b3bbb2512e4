// Features of a module that a language lacks, or that SPIRV-Cross must be told of.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "coopc/translate.hpp"
#include "spirv/module.hpp"
#include "translate/cross.hpp"

namespace coopc::translating {

/// "", or what the module has that the language has no name for, and that SPIRV-Cross writes nevertheless:
/// bfloat16 as half, other types as none, debugPrintfEXT as it stands.
std::string lacking(const spirv::Module& module, ShadingLanguage language);

/// "", or what is wrong with a uniform or push-constant block whose members no constant buffer of HLSL puts
/// where they lie.
std::string misplacedConstants(const spirv::Module& module);

/// The extensions of GLSL that SPIRV-Cross leaves out: those of subgroup operations on 8-, 16- and 64-bit
/// numbers.
std::vector<std::string> glslExtensions(const spirv::Module& module);

/// The layouts of the module's blocks; one that a uniform block has only by GL_EXT_scalar_block_layout adds
/// that to `extensions`.
std::vector<DeclaredLayout> glslLayouts(const spirv::Module& module, std::vector<std::string>& extensions);

/// The version of Metal's language that has all that the module uses: 100 * major + 10 * minor.
uint32_t metalVersion(const spirv::Module& module);

/// Strings of the module that become literals of the text (formats of debugPrintfEXT) get the escapes of a
/// literal; SPIRV-Cross writes their bytes.
void escapeStrings(spirv::Module& module);

/// "", or what SPIRV-Cross wrote that is not a program: it goes on after an instruction or a type that it
/// does not know.
std::string unfinished(const std::string& text);

}  // namespace coopc::translating
