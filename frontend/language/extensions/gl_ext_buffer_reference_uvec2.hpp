// GL_EXT_buffer_reference_uvec2: adds construction of buffer references from and to uvec2.
#pragma once

#include "frontend/language/extension.hpp"

namespace coopc::frontend {

inline constexpr ExtensionInfo kGL_EXT_buffer_reference_uvec2 = {
    .name = "GL_EXT_buffer_reference_uvec2",
    .minVersion = 450,
    .minEsVersion = 320,
    .implies = {ExtensionId::GL_EXT_buffer_reference},
    .clause = "GL_EXT_buffer_reference_uvec2",
};

}  // namespace coopc::frontend
