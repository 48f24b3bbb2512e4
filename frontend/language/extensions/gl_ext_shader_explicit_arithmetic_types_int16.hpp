// GL_EXT_shader_explicit_arithmetic_types_int16: adds int16_t, uint16_t and their vectors with arithmetic.
#pragma once

#include "frontend/language/extension.hpp"

namespace coopc::frontend {

inline constexpr ExtensionInfo kGL_EXT_shader_explicit_arithmetic_types_int16 = {
    .name = "GL_EXT_shader_explicit_arithmetic_types_int16",
    .clause = "GL_EXT_shader_explicit_arithmetic_types",
};

}  // namespace coopc::frontend
