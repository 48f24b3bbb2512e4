// GL_ARB_shading_language_420pack: its content is part of the language that Vulkan takes, so that enabling
// it changes nothing.
#pragma once

#include "frontend/language/extension.hpp"

namespace coopc::frontend {

inline constexpr ExtensionInfo kGL_ARB_shading_language_420pack = {
    .name = "GL_ARB_shading_language_420pack",
    .minEsVersion = 0,
    .clause = "GL_ARB_shading_language_420pack",
};

}  // namespace coopc::frontend
