// GL_NV_explicit_typecast: adds casts in C notation: (type)value.
#pragma once

#include "frontend/language/extension.hpp"

namespace coopc::frontend {

inline constexpr ExtensionInfo kGL_NV_explicit_typecast = {
    .name = "GL_NV_explicit_typecast",
    .minVersion = 450,
    .minEsVersion = 320,
    .clause = "GL_NV_explicit_typecast",
};

}  // namespace coopc::frontend
