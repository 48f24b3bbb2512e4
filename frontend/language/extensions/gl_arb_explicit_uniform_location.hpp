// GL_ARB_explicit_uniform_location: its content is part of the language that Vulkan takes, so that enabling
// it changes nothing.
#pragma once

#include "frontend/language/extension.hpp"

namespace coopc::frontend {

inline constexpr ExtensionInfo kGL_ARB_explicit_uniform_location = {
    .name = "GL_ARB_explicit_uniform_location",
    .minEsVersion = 0,
    .clause = "GL_ARB_explicit_uniform_location",
};

}  // namespace coopc::frontend
