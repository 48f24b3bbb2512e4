// GL_EXT_shader_atomic_float: lets atomicAdd, atomicExchange, atomicLoad and atomicStore take float and
// double, images too.
#pragma once

#include "frontend/language/extension.hpp"

namespace coopc::frontend {

inline constexpr ExtensionInfo kGL_EXT_shader_atomic_float = {
    .name = "GL_EXT_shader_atomic_float",
    .clause = "GL_EXT_shader_atomic_float",
};

}  // namespace coopc::frontend
