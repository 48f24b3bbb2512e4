// GL_EXT_shader_atomic_float2: lets atomicAdd take float16_t, and atomicMin and atomicMax all floating-point
// types.
#pragma once

#include "frontend/language/extension.hpp"

namespace coopc::frontend {

inline constexpr ExtensionInfo kGL_EXT_shader_atomic_float2 = {
    .name = "GL_EXT_shader_atomic_float2",
    .clause = "GL_EXT_shader_atomic_float2",
};

}  // namespace coopc::frontend
