// GL_ARB_shader_clock: adds clockARB and clock2x32ARB.
#pragma once

#include "frontend/language/extension.hpp"

namespace coopc::frontend {

inline constexpr ExtensionInfo kGL_ARB_shader_clock = {
    .name = "GL_ARB_shader_clock",
    .minVersion = 450,
    .minEsVersion = 0,
    .clause = "GL_ARB_shader_clock",
};

}  // namespace coopc::frontend
