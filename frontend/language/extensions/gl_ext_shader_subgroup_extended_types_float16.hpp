// GL_EXT_shader_subgroup_extended_types_float16: lets the subgroup functions take float16_t and its vectors.
#pragma once

#include "frontend/language/extension.hpp"

namespace coopc::frontend {

inline constexpr ExtensionInfo kGL_EXT_shader_subgroup_extended_types_float16 = {
    .name = "GL_EXT_shader_subgroup_extended_types_float16",
    .minSpirv = 0x00010300,
    .implies =
        {ExtensionId::
             GL_EXT_shader_explicit_arithmetic_types_float16},  // its types are these functions' arguments
    .clause = "GL_EXT_shader_subgroup_extended_types",
};

}  // namespace coopc::frontend
