// GL_ARB_shader_atomic_counter_ops: its content is part of the language that Vulkan takes, so that enabling
// it changes nothing.
#pragma once

#include "frontend/language/extension.hpp"

namespace coopc::frontend {

inline constexpr ExtensionInfo kGL_ARB_shader_atomic_counter_ops = {
    .name = "GL_ARB_shader_atomic_counter_ops",
    .minEsVersion = 0,
    .clause = "GL_ARB_shader_atomic_counter_ops",
};

}  // namespace coopc::frontend
