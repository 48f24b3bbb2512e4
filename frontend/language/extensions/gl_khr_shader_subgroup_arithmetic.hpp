// GL_KHR_shader_subgroup_arithmetic: adds subgroupAdd and its family, inclusive and exclusive too.
#pragma once

#include "frontend/language/extension.hpp"

namespace coopc::frontend {

inline constexpr ExtensionInfo kGL_KHR_shader_subgroup_arithmetic = {
    .name = "GL_KHR_shader_subgroup_arithmetic",
    .minSpirv = 0x00010300,
    .implies = {ExtensionId::GL_KHR_shader_subgroup_basic},
    .clause = "GL_KHR_shader_subgroup",
};

}  // namespace coopc::frontend
