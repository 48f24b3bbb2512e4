// GL_EXT_bfloat16: adds bfloat16_t, bf16vec2..4 and their conversions; as a matrix component too.
#pragma once

#include "frontend/language/extension.hpp"

namespace coopc::frontend {

inline constexpr ExtensionInfo kGL_EXT_bfloat16 = {
    .name = "GL_EXT_bfloat16",
    .minVersion = 450,
    .minEsVersion = 320,
    .clause = "GL_EXT_bfloat16",
};

}  // namespace coopc::frontend
