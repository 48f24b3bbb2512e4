// GL_ARB_texture_multisample: multisampled textures are part of the language that Vulkan takes, so that enabling it
// changes nothing.
#pragma once

#include "frontend/language/extension.hpp"

namespace coopc::frontend {

inline constexpr ExtensionInfo kGL_ARB_texture_multisample = {
    .name = "GL_ARB_texture_multisample",
    .minEsVersion = 0,
    .clause = "GL_ARB_texture_multisample",
};

}  // namespace coopc::frontend
