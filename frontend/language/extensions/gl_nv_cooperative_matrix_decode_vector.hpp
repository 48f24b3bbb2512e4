// GL_NV_cooperative_matrix_decode_vector: adds decode functions that give several elements at once.
#pragma once

#include "frontend/language/extension.hpp"

namespace coopc::frontend {

inline constexpr ExtensionInfo kGL_NV_cooperative_matrix_decode_vector = {
    .name = "GL_NV_cooperative_matrix_decode_vector",
    .minVersion = 450,
    .minEsVersion = 320,
    .minSpirv = 0x00010600,
    .spirvAtDirective = true,
    .clause = "GL_NV_cooperative_matrix_decode_vector",
};

}  // namespace coopc::frontend
