// GL_EXT_shader_explicit_arithmetic_types: adds all explicitly sized types with arithmetic.
#pragma once

#include "frontend/language/extension.hpp"

namespace coopc::frontend {

inline constexpr ExtensionInfo kGL_EXT_shader_explicit_arithmetic_types = {
    .name = "GL_EXT_shader_explicit_arithmetic_types",
    .implies = {ExtensionId::GL_EXT_shader_explicit_arithmetic_types_int8,
                ExtensionId::GL_EXT_shader_explicit_arithmetic_types_int16,
                ExtensionId::GL_EXT_shader_explicit_arithmetic_types_int32,
                ExtensionId::GL_EXT_shader_explicit_arithmetic_types_int64,
                ExtensionId::GL_EXT_shader_explicit_arithmetic_types_float16,
                ExtensionId::GL_EXT_shader_explicit_arithmetic_types_float32,
                ExtensionId::GL_EXT_shader_explicit_arithmetic_types_float64},
    .clause = "GL_EXT_shader_explicit_arithmetic_types",
};

}  // namespace coopc::frontend
