// GL_NV_cooperative_matrix2: adds workgroup scope, reductions, per-element operations, conversions between
// uses, transposition, tensorLayoutNV, tensorViewNV, and the loads and stores that take them.
#pragma once

#include "frontend/language/extension.hpp"

namespace coopc::frontend {

inline constexpr ExtensionInfo kGL_NV_cooperative_matrix2 = {
    .name = "GL_NV_cooperative_matrix2",
    .minVersion = 450,
    .minEsVersion = 320,
    .minSpirv = 0x00010600,
    .spirvAtDirective = true,
    // Programs that enable only this one use coopmat all the same.
    .implies = {ExtensionId::GL_KHR_cooperative_matrix},
    .clause = "GL_NV_cooperative_matrix2",
};

}  // namespace coopc::frontend
