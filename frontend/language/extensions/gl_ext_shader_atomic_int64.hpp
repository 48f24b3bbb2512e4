// GL_EXT_shader_atomic_int64: lets the atomic functions take int64_t and uint64_t.
#pragma once

#include "frontend/language/extension.hpp"

namespace coopc::frontend {

inline constexpr ExtensionInfo kGL_EXT_shader_atomic_int64 = {
    .name = "GL_EXT_shader_atomic_int64",
    .minEsVersion = 0,
    .clause = "GL_EXT_shader_atomic_int64",
};

}  // namespace coopc::frontend
