// GL_KHR_shader_subgroup_shuffle_relative: adds subgroupShuffleUp and subgroupShuffleDown.
#pragma once

#include "frontend/language/extension.hpp"

namespace coopc::frontend {

inline constexpr ExtensionInfo kGL_KHR_shader_subgroup_shuffle_relative = {
    .name = "GL_KHR_shader_subgroup_shuffle_relative",
    .minSpirv = 0x00010300,
    .implies = {ExtensionId::GL_KHR_shader_subgroup_basic},
    .clause = "GL_KHR_shader_subgroup",
};

}  // namespace coopc::frontend
