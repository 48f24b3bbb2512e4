// GL_ARB_gpu_shader_int64: adds int64_t, uint64_t, their vectors, the literal suffixes L and UL, and their
// built-in functions.
#pragma once

#include "frontend/language/extension.hpp"

namespace coopc::frontend {

inline constexpr ExtensionInfo kGL_ARB_gpu_shader_int64 = {
    .name = "GL_ARB_gpu_shader_int64",
    .minEsVersion = 0,
    .clause = "GL_ARB_gpu_shader_int64",
};

}  // namespace coopc::frontend
