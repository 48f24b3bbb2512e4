// GL_EXT_subgroup_uniform_control_flow: adds the attribute [[subgroup_uniform_control_flow]] of functions.
#pragma once

#include "frontend/language/extension.hpp"

namespace coopc::frontend {

inline constexpr ExtensionInfo kGL_EXT_subgroup_uniform_control_flow = {
    .name = "GL_EXT_subgroup_uniform_control_flow",
    .minSpirv = 0x00010300,
    .clause = "GL_EXT_subgroup_uniform_control_flow",
};

}  // namespace coopc::frontend
