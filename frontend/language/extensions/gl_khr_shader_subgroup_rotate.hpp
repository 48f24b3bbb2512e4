// GL_KHR_shader_subgroup_rotate: adds subgroupRotate and subgroupClusteredRotate.
#pragma once

#include "frontend/language/extension.hpp"

namespace coopc::frontend {

inline constexpr ExtensionInfo kGL_KHR_shader_subgroup_rotate = {
    .name = "GL_KHR_shader_subgroup_rotate",
    .minSpirv = 0x00010300,
    .implies = {ExtensionId::GL_KHR_shader_subgroup_basic},
    .clause = "GL_KHR_shader_subgroup_rotate",
};

}  // namespace coopc::frontend
