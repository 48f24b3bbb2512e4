// GL_EXT_cooperative_matrix_maintenance1: adds coopMatReduceEXT, coopMatPerElementEXT, coopMatTransposeEXT,
// coopMatGetCoordinateEXT and conversions between uses.
#pragma once

#include "frontend/language/extension.hpp"

namespace coopc::frontend {

inline constexpr ExtensionInfo kGL_EXT_cooperative_matrix_maintenance1 = {
    .name = "GL_EXT_cooperative_matrix_maintenance1",
    .minVersion = 450,
    .minEsVersion = 320,
    .minSpirv = 0x00010300,
    .clause = "GL_EXT_cooperative_matrix_maintenance1",
};

}  // namespace coopc::frontend
