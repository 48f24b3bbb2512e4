// GL_AMD_gpu_shader_int16: adds int16_t, uint16_t, their vectors, the literal suffixes s and us.
#pragma once

#include "frontend/language/extension.hpp"

namespace coopc::frontend {

inline constexpr ExtensionInfo kGL_AMD_gpu_shader_int16 = {
    .name = "GL_AMD_gpu_shader_int16",
    .minEsVersion = 0,
    .clause = "GL_AMD_gpu_shader_int16",
};

}  // namespace coopc::frontend
