// GL_OES_texture_buffer: samplerBuffer and imageBuffer and their families for ESSL 3.10. ESSL 3.20 has them.
#pragma once

#include "frontend/language/extension.hpp"

namespace coopc::frontend {

inline constexpr ExtensionInfo kGL_OES_texture_buffer = {
    .name = "GL_OES_texture_buffer",
    .minVersion = 0,
    .clause = "GL_OES_texture_buffer",
};

}  // namespace coopc::frontend
