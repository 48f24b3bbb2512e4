// GL_ARB_cull_distance: its content is part of the language that Vulkan takes, so that enabling it changes
// nothing.
#pragma once

#include "frontend/language/extension.hpp"

namespace coopc::frontend {

inline constexpr ExtensionInfo kGL_ARB_cull_distance = {
    .name = "GL_ARB_cull_distance",
    .minEsVersion = 0,
    .clause = "GL_ARB_cull_distance",
};

}  // namespace coopc::frontend
