// GL_EXT_float_e3m2: adds floate3m2_t, fe3m2vec2..4 and the functions that unpack and pack them.
#pragma once

#include "frontend/language/extension.hpp"

namespace coopc::frontend {

inline constexpr ExtensionInfo kGL_EXT_float_e3m2 = {
    .name = "GL_EXT_float_e3m2",
    .minVersion = 450,
    .minEsVersion = 320,
    .clause = "GL_EXT_float_e3m2",
};

}  // namespace coopc::frontend
