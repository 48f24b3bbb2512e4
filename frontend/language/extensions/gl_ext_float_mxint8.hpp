// GL_EXT_float_mxint8: adds floatmxint8_t, fmxint8vec2..4 and their bit casts.
#pragma once

#include "frontend/language/extension.hpp"

namespace coopc::frontend {

inline constexpr ExtensionInfo kGL_EXT_float_mxint8 = {
    .name = "GL_EXT_float_mxint8",
    .minVersion = 450,
    .minEsVersion = 320,
    .clause = "GL_EXT_float_mxint8",
};

}  // namespace coopc::frontend
