// GL_EXT_shader_explicit_arithmetic_types_int32: adds int32_t, uint32_t and their vectors with arithmetic.
#pragma once

#include "frontend/language/extension.hpp"

namespace coopc::frontend {

inline constexpr ExtensionInfo kGL_EXT_shader_explicit_arithmetic_types_int32 = {
    .name = "GL_EXT_shader_explicit_arithmetic_types_int32",
    .clause = "GL_EXT_shader_explicit_arithmetic_types",
};

}  // namespace coopc::frontend
