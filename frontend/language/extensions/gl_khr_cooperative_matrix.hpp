// GL_KHR_cooperative_matrix: adds coopmat<T, scope, rows, columns, use>, coopMatLoad, coopMatStore,
// coopMatMulAdd and gl_MatrixUse*, gl_CooperativeMatrixLayout*, gl_MatrixOperands*.
#pragma once

#include "frontend/language/extension.hpp"

namespace coopc::frontend {

inline constexpr ExtensionInfo kGL_KHR_cooperative_matrix = {
    .name = "GL_KHR_cooperative_matrix",
    .minVersion = 450,
    .minEsVersion = 320,
    .minSpirv = 0x00010300,
    .clause = "GL_KHR_cooperative_matrix",
};

}  // namespace coopc::frontend
