// GL_NV_cooperative_matrix: adds fcoopmatNV<bits, scope, rows, columns>, coopMatLoadNV, coopMatStoreNV,
// coopMatMulAddNV.
#pragma once

#include "frontend/language/extension.hpp"

namespace coopc::frontend {

inline constexpr ExtensionInfo kGL_NV_cooperative_matrix = {
    .name = "GL_NV_cooperative_matrix",
    .minVersion = 450,
    .minEsVersion = 320,
    .minSpirv = 0x00010300,
    .clause = "GL_NV_cooperative_matrix",
};

}  // namespace coopc::frontend
