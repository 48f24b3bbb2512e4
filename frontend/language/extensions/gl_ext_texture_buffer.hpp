// GL_EXT_texture_buffer: the same as GL_OES_texture_buffer under its other name.
#pragma once

#include "frontend/language/extension.hpp"

namespace coopc::frontend {

inline constexpr ExtensionInfo kGL_EXT_texture_buffer = {
    .name = "GL_EXT_texture_buffer",
    .minVersion = 0,
    .clause = "GL_EXT_texture_buffer",
};

}  // namespace coopc::frontend
