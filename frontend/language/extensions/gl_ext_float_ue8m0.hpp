// GL_EXT_float_ue8m0: adds floatue8m0_t, fue8m0vec2..4 and their bit casts.
#pragma once

#include "frontend/language/extension.hpp"

namespace coopc::frontend {

inline constexpr ExtensionInfo kGL_EXT_float_ue8m0 = {
    .name = "GL_EXT_float_ue8m0",
    .minVersion = 450,
    .minEsVersion = 320,
    .clause = "GL_EXT_float_ue8m0",
};

}  // namespace coopc::frontend
