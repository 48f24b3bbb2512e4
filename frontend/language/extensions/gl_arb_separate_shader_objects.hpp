// GL_ARB_separate_shader_objects: its content is part of the language that Vulkan takes, so that enabling it
// changes nothing.
#pragma once

#include "frontend/language/extension.hpp"

namespace coopc::frontend {

inline constexpr ExtensionInfo kGL_ARB_separate_shader_objects = {
    .name = "GL_ARB_separate_shader_objects",
    .minEsVersion = 0,
    .clause = "GL_ARB_separate_shader_objects",
};

}  // namespace coopc::frontend
