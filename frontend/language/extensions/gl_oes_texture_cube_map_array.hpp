// GL_OES_texture_cube_map_array: arrays of cube maps for ESSL 3.10. ESSL 3.20 has them.
#pragma once

#include "frontend/language/extension.hpp"

namespace coopc::frontend {

inline constexpr ExtensionInfo kGL_OES_texture_cube_map_array = {
    .name = "GL_OES_texture_cube_map_array",
    .minVersion = 0,
    .clause = "GL_OES_texture_cube_map_array",
};

}  // namespace coopc::frontend
