// GL_KHR_compute_shader_derivatives: derivatives and implicit levels of detail in compute shaders.
#pragma once

#include "frontend/language/extension.hpp"

namespace coopc::frontend {

inline constexpr ExtensionInfo kGL_KHR_compute_shader_derivatives = {
    .name = "GL_KHR_compute_shader_derivatives",
    .minVersion = 450,
    .minEsVersion = 320,
    .clause = "GL_KHR_compute_shader_derivatives",
};

}  // namespace coopc::frontend
