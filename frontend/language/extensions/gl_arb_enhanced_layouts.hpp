// GL_ARB_enhanced_layouts: its content is part of the language that Vulkan takes, so that enabling it
// changes nothing.
#pragma once

#include "frontend/language/extension.hpp"

namespace coopc::frontend {

inline constexpr ExtensionInfo kGL_ARB_enhanced_layouts = {
    .name = "GL_ARB_enhanced_layouts",
    .minEsVersion = 0,
    .clause = "GL_ARB_enhanced_layouts",
};

}  // namespace coopc::frontend
