// GL_ARB_uniform_buffer_object: its content is part of the language that Vulkan takes, so that enabling it
// changes nothing.
#pragma once

#include "frontend/language/extension.hpp"

namespace coopc::frontend {

inline constexpr ExtensionInfo kGL_ARB_uniform_buffer_object = {
    .name = "GL_ARB_uniform_buffer_object",
    .minEsVersion = 0,
    .clause = "GL_ARB_uniform_buffer_object",
};

}  // namespace coopc::frontend
