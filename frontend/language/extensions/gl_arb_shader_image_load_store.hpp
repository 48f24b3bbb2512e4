// GL_ARB_shader_image_load_store: its content is part of the language that Vulkan takes, so that enabling it
// changes nothing.
#pragma once

#include "frontend/language/extension.hpp"

namespace coopc::frontend {

inline constexpr ExtensionInfo kGL_ARB_shader_image_load_store = {
    .name = "GL_ARB_shader_image_load_store",
    .minEsVersion = 0,
    .clause = "GL_ARB_shader_image_load_store",
};

}  // namespace coopc::frontend
