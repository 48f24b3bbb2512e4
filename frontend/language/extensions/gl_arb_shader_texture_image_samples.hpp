// GL_ARB_shader_texture_image_samples: its content is part of the language that Vulkan takes, so that
// enabling it changes nothing.
#pragma once

#include "frontend/language/extension.hpp"

namespace coopc::frontend {

inline constexpr ExtensionInfo kGL_ARB_shader_texture_image_samples = {
    .name = "GL_ARB_shader_texture_image_samples",
    .minEsVersion = 0,
    .clause = "GL_ARB_shader_texture_image_samples",
};

}  // namespace coopc::frontend
