// GL_EXT_shader_quad_control: adds subgroupQuadAll and subgroupQuadAny.
#pragma once

#include "frontend/language/extension.hpp"

namespace coopc::frontend {

inline constexpr ExtensionInfo kGL_EXT_shader_quad_control = {
    .name = "GL_EXT_shader_quad_control",
    .minSpirv = 0x00010300,
    .implies = {ExtensionId::GL_KHR_shader_subgroup_basic, ExtensionId::GL_KHR_shader_subgroup_vote},
    .clause = "GL_EXT_shader_quad_control",
};

}  // namespace coopc::frontend
