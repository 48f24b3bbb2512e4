// GL_EXT_shader_non_constant_global_initializers: initializers of global variables in ESSL may be any expression, as in
// desktop GLSL.
#pragma once

#include "frontend/language/extension.hpp"

namespace coopc::frontend {

inline constexpr ExtensionInfo kGL_EXT_shader_non_constant_global_initializers = {
    .name = "GL_EXT_shader_non_constant_global_initializers",
    .minVersion = 0,
    .clause = "GL_EXT_shader_non_constant_global_initializers",
};

}  // namespace coopc::frontend
