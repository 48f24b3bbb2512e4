// GL_ARB_compute_shader: its content is part of the language that Vulkan takes, so that enabling it changes
// nothing.
#pragma once

#include "frontend/language/extension.hpp"

namespace coopc::frontend {

inline constexpr ExtensionInfo kGL_ARB_compute_shader = {
    .name = "GL_ARB_compute_shader",
    .minEsVersion = 0,
    .clause = "GL_ARB_compute_shader",
};

}  // namespace coopc::frontend
