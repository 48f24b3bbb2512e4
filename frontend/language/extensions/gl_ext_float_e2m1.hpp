// GL_EXT_float_e2m1: adds floate2m1_t, fe2m1vec2..4 and the functions that unpack and pack them.
#pragma once

#include "frontend/language/extension.hpp"

namespace coopc::frontend {

inline constexpr ExtensionInfo kGL_EXT_float_e2m1 = {
    .name = "GL_EXT_float_e2m1",
    .minVersion = 450,
    .minEsVersion = 320,
    .clause = "GL_EXT_float_e2m1",
};

}  // namespace coopc::frontend
