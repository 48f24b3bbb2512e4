// GL_OES_shader_image_atomic: atomic operations on images for ESSL 3.10. ESSL 3.20 has them.
#pragma once

#include "frontend/language/extension.hpp"

namespace coopc::frontend {

inline constexpr ExtensionInfo kGL_OES_shader_image_atomic = {
    .name = "GL_OES_shader_image_atomic",
    .minVersion = 0,
    .clause = "GL_OES_shader_image_atomic",
};

}  // namespace coopc::frontend
