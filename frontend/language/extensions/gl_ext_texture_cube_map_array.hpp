// GL_EXT_texture_cube_map_array: the same as GL_OES_texture_cube_map_array under its other name.
#pragma once

#include "frontend/language/extension.hpp"

namespace coopc::frontend {

inline constexpr ExtensionInfo kGL_EXT_texture_cube_map_array = {
    .name = "GL_EXT_texture_cube_map_array",
    .minVersion = 0,
    .clause = "GL_EXT_texture_cube_map_array",
};

}  // namespace coopc::frontend
