// GL_EXT_shader_64bit_indexing: lets arrays be indexed and their length be told with 64 bits: the pragma and
// the layout qualifier shader_64bit_indexing.
#pragma once

#include "frontend/extensions/extension.hpp"

namespace coopc::frontend {

inline constexpr ExtensionInfo kGL_EXT_shader_64bit_indexing = {
    .name = "GL_EXT_shader_64bit_indexing",
    .minVersion = 450,
    .minEsVersion = 320,
    .clause = "GL_EXT_shader_64bit_indexing",
};

}  // namespace coopc::frontend
