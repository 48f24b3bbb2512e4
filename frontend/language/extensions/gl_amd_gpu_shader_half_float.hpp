// GL_AMD_gpu_shader_half_float: adds float16_t, its vectors and matrices, the literal suffix hf, and their
// built-in functions.
#pragma once

#include "frontend/language/extension.hpp"

namespace coopc::frontend {

inline constexpr ExtensionInfo kGL_AMD_gpu_shader_half_float = {
    .name = "GL_AMD_gpu_shader_half_float",
    .minEsVersion = 0,
    .clause = "GL_AMD_gpu_shader_half_float",
};

}  // namespace coopc::frontend
