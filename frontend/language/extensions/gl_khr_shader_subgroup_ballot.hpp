// GL_KHR_shader_subgroup_ballot: adds subgroupBallot and its family, subgroupBroadcast, gl_SubgroupEqMask
// and its family.
#pragma once

#include "frontend/language/extension.hpp"

namespace coopc::frontend {

inline constexpr ExtensionInfo kGL_KHR_shader_subgroup_ballot = {
    .name = "GL_KHR_shader_subgroup_ballot",
    .minSpirv = 0x00010300,
    .implies = {ExtensionId::GL_KHR_shader_subgroup_basic},
    .clause = "GL_KHR_shader_subgroup",
};

}  // namespace coopc::frontend
