// GL_EXT_float_e5m2: adds floate5m2_t, fe5m2vec2..4, saturatedConvertEXT; as a matrix component too.
#pragma once

#include "frontend/language/extension.hpp"

namespace coopc::frontend {

inline constexpr ExtensionInfo kGL_EXT_float_e5m2 = {
    .name = "GL_EXT_float_e5m2",
    .minVersion = 450,
    .minEsVersion = 320,
    .clause = "GL_EXT_float_e5m2, GL_EXT_float_e4m3",
};

}  // namespace coopc::frontend
