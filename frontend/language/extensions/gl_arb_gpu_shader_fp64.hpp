// GL_ARB_gpu_shader_fp64: its content is part of the language that Vulkan takes, so that enabling it changes
// nothing.
#pragma once

#include "frontend/language/extension.hpp"

namespace coopc::frontend {

inline constexpr ExtensionInfo kGL_ARB_gpu_shader_fp64 = {
    .name = "GL_ARB_gpu_shader_fp64",
    .minEsVersion = 0,
    .clause = "GL_ARB_gpu_shader_fp64",
};

}  // namespace coopc::frontend
