// GL_ARB_texture_gather: its content is part of the language that Vulkan takes, so that enabling it changes
// nothing.
#pragma once

#include "frontend/language/extension.hpp"

namespace coopc::frontend {

inline constexpr ExtensionInfo kGL_ARB_texture_gather = {
    .name = "GL_ARB_texture_gather",
    .minEsVersion = 0,
    .clause = "GL_ARB_texture_gather",
};

}  // namespace coopc::frontend
