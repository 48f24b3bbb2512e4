// GL_ARB_texture_cube_map_array: arrays of cube maps are part of the language from 4.00 on, and of all that Vulkan
// takes, so that enabling it changes nothing.
#pragma once

#include "frontend/language/extension.hpp"

namespace coopc::frontend {

inline constexpr ExtensionInfo kGL_ARB_texture_cube_map_array = {
    .name = "GL_ARB_texture_cube_map_array",
    .minEsVersion = 0,
    .clause = "GL_ARB_texture_cube_map_array",
};

}  // namespace coopc::frontend
