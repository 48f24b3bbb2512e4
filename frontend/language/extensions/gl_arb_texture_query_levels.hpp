// GL_ARB_texture_query_levels: its content is part of the language that Vulkan takes, so that enabling it
// changes nothing.
#pragma once

#include "frontend/language/extension.hpp"

namespace coopc::frontend {

inline constexpr ExtensionInfo kGL_ARB_texture_query_levels = {
    .name = "GL_ARB_texture_query_levels",
    .minEsVersion = 0,
    .clause = "GL_ARB_texture_query_levels",
};

}  // namespace coopc::frontend
