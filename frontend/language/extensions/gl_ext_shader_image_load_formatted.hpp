// GL_EXT_shader_image_load_formatted: lets imageLoad read images without a format qualifier.
#pragma once

#include "frontend/language/extension.hpp"

namespace coopc::frontend {

inline constexpr ExtensionInfo kGL_EXT_shader_image_load_formatted = {
    .name = "GL_EXT_shader_image_load_formatted",
    .minEsVersion = 0,
    .clause = "GL_EXT_shader_image_load_formatted",
};

}  // namespace coopc::frontend
