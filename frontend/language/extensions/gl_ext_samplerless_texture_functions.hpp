// GL_EXT_samplerless_texture_functions: lets texelFetch, textureSize and textureQueryLevels take textures
// without samplers.
#pragma once

#include "frontend/language/extension.hpp"

namespace coopc::frontend {

inline constexpr ExtensionInfo kGL_EXT_samplerless_texture_functions = {
    .name = "GL_EXT_samplerless_texture_functions",
    .clause = "GL_EXT_samplerless_texture_functions",
};

}  // namespace coopc::frontend
