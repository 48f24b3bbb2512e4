// GL_EXT_float_e2m3: adds floate2m3_t, fe2m3vec2..4 and the functions that unpack and pack them.
#pragma once

#include "frontend/language/extension.hpp"

namespace coopc::frontend {

inline constexpr ExtensionInfo kGL_EXT_float_e2m3 = {
    .name = "GL_EXT_float_e2m3",
    .minVersion = 450,
    .minEsVersion = 320,
    .clause = "GL_EXT_float_e2m3",
};

}  // namespace coopc::frontend
