// GL_EXT_buffer_reference2: adds arithmetic and indexing of buffer references.
#pragma once

#include "frontend/language/extension.hpp"

namespace coopc::frontend {

inline constexpr ExtensionInfo kGL_EXT_buffer_reference2 = {
    .name = "GL_EXT_buffer_reference2",
    .minVersion = 450,
    .minEsVersion = 320,
    .implies = {ExtensionId::GL_EXT_buffer_reference},
    .clause = "GL_EXT_buffer_reference2",
};

}  // namespace coopc::frontend
