// GL_NV_shader_subgroup_partitioned: adds subgroupPartitionNV and the operations on its partitions.
#pragma once

#include "frontend/language/extension.hpp"

namespace coopc::frontend {

inline constexpr ExtensionInfo kGL_NV_shader_subgroup_partitioned = {
    .name = "GL_NV_shader_subgroup_partitioned",
    .minSpirv = 0x00010300,
    .implies = {ExtensionId::GL_KHR_shader_subgroup_basic},
    .clause = "GL_NV_shader_subgroup_partitioned",
};

}  // namespace coopc::frontend
