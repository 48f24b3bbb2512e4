// GL_KHR_vulkan_glsl: always in force: descriptor sets, push constants, specialization constants, separate
// samplers and textures.
#pragma once

#include "frontend/language/extension.hpp"

namespace coopc::frontend {

inline constexpr ExtensionInfo kGL_KHR_vulkan_glsl = {
    .name = "GL_KHR_vulkan_glsl",
    .clause = "GL_KHR_vulkan_glsl",
};

}  // namespace coopc::frontend
