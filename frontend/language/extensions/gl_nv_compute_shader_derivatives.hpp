// GL_NV_compute_shader_derivatives: derivatives in compute shaders, by GL_KHR_compute_shader_derivatives' older name.
#pragma once

#include "frontend/language/extension.hpp"

namespace coopc::frontend {

inline constexpr ExtensionInfo kGL_NV_compute_shader_derivatives = {
    .name = "GL_NV_compute_shader_derivatives",
    .minVersion = 450,
    .minEsVersion = 320,
    .clause = "GL_NV_compute_shader_derivatives",
};

}  // namespace coopc::frontend
