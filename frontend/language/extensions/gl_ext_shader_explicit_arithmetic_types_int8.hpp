// GL_EXT_shader_explicit_arithmetic_types_int8: adds int8_t, uint8_t and their vectors with arithmetic.
#pragma once

#include "frontend/language/extension.hpp"

namespace coopc::frontend {

inline constexpr ExtensionInfo kGL_EXT_shader_explicit_arithmetic_types_int8 = {
    .name = "GL_EXT_shader_explicit_arithmetic_types_int8",
    .clause = "GL_EXT_shader_explicit_arithmetic_types",
};

}  // namespace coopc::frontend
