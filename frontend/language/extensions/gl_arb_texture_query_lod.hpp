// GL_ARB_texture_query_lod: its content is part of the language that Vulkan takes, so that enabling it
// changes nothing.
#pragma once

#include "frontend/language/extension.hpp"

namespace coopc::frontend {

inline constexpr ExtensionInfo kGL_ARB_texture_query_lod = {
    .name = "GL_ARB_texture_query_lod",
    .minEsVersion = 0,
    .clause = "GL_ARB_texture_query_lod",
};

}  // namespace coopc::frontend
