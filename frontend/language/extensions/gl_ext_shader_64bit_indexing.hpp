// GL_EXT_shader_64bit_indexing: indices, lengths (length64()) and the offsets of matrix and vector functions of 64 bits, the
// pragmas shader_64bit_indexing and promote_uint32_indices.
#pragma once

#include "frontend/language/extension.hpp"

namespace coopc::frontend {

inline constexpr ExtensionInfo kGL_EXT_shader_64bit_indexing = {
    .name = "GL_EXT_shader_64bit_indexing",
    .minVersion = 450,
    .minEsVersion = 320,
    .clause = "GL_EXT_shader_64bit_indexing",
};

}  // namespace coopc::frontend
