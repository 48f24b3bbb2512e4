// GL_NV_cooperative_vector: adds coopvecNV<T, N>, coopVecMatMulNV and its family.
#pragma once

#include "frontend/language/extension.hpp"

namespace coopc::frontend {

inline constexpr ExtensionInfo kGL_NV_cooperative_vector = {
    .name = "GL_NV_cooperative_vector",
    .minVersion = 450,
    .minEsVersion = 320,
    .minSpirv = 0x00010300,
    .clause = "GL_NV_cooperative_vector",
};

}  // namespace coopc::frontend
