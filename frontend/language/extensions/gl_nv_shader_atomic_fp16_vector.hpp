// GL_NV_shader_atomic_fp16_vector: lets the atomic functions take f16vec2 and f16vec4.
#pragma once

#include "frontend/language/extension.hpp"

namespace coopc::frontend {

inline constexpr ExtensionInfo kGL_NV_shader_atomic_fp16_vector = {
    .name = "GL_NV_shader_atomic_fp16_vector",
    .minEsVersion = 310,
    .clause = "GL_NV_shader_atomic_fp16_vector",
};

}  // namespace coopc::frontend
