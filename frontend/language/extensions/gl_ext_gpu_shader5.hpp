// GL_EXT_gpu_shader5: the same as GL_OES_gpu_shader5 under its other name.
#pragma once

#include "frontend/language/extension.hpp"

namespace coopc::frontend {

inline constexpr ExtensionInfo kGL_EXT_gpu_shader5 = {
    .name = "GL_EXT_gpu_shader5",
    .minVersion = 0,
    .clause = "GL_EXT_gpu_shader5",
};

}  // namespace coopc::frontend
