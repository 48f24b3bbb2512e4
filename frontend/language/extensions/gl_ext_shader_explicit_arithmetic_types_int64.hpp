// GL_EXT_shader_explicit_arithmetic_types_int64: adds int64_t, uint64_t and their vectors with arithmetic.
#pragma once

#include "frontend/language/extension.hpp"

namespace coopc::frontend {

inline constexpr ExtensionInfo kGL_EXT_shader_explicit_arithmetic_types_int64 = {
    .name = "GL_EXT_shader_explicit_arithmetic_types_int64",
    .clause = "GL_EXT_shader_explicit_arithmetic_types",
};

}  // namespace coopc::frontend
