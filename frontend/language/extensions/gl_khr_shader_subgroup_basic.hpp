// GL_KHR_shader_subgroup_basic: adds subgroupBarrier and its family, subgroupElect, gl_SubgroupSize,
// gl_SubgroupInvocationID, gl_NumSubgroups, gl_SubgroupID.
#pragma once

#include "frontend/language/extension.hpp"

namespace coopc::frontend {

inline constexpr ExtensionInfo kGL_KHR_shader_subgroup_basic = {
    .name = "GL_KHR_shader_subgroup_basic",
    .minSpirv = 0x00010300,
    .clause = "GL_KHR_shader_subgroup",
};

}  // namespace coopc::frontend
