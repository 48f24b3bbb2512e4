// GL_EXT_float_e4m3: adds floate4m3_t, fe4m3vec2..4, saturatedConvertEXT; as a matrix component too.
#pragma once

#include "frontend/language/extension.hpp"

namespace coopc::frontend {

inline constexpr ExtensionInfo kGL_EXT_float_e4m3 = {
    .name = "GL_EXT_float_e4m3",
    .minVersion = 450,
    .minEsVersion = 320,
    .clause = "GL_EXT_float_e5m2, GL_EXT_float_e4m3",
};

}  // namespace coopc::frontend
