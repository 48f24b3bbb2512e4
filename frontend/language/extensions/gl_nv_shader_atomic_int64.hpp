// GL_NV_shader_atomic_int64: what GL_EXT_shader_atomic_int64 has, by its older name.
#pragma once

#include "frontend/language/extension.hpp"

namespace coopc::frontend {

inline constexpr ExtensionInfo kGL_NV_shader_atomic_int64 = {
    .name = "GL_NV_shader_atomic_int64",
    .minEsVersion = 0,
    .implies = {ExtensionId::GL_EXT_shader_atomic_int64},
    .clause = "GL_NV_shader_atomic_int64",
};

}  // namespace coopc::frontend
