// CHECK-SPIRV
// Reductions over clusters and partitions, for the numeric types of each operation.
#version 460
#extension GL_KHR_shader_subgroup_clustered : require
#extension GL_KHR_shader_subgroup_arithmetic : require
#extension GL_NV_shader_subgroup_partitioned : require
layout(local_size_x = 32) in;
layout(binding = 0) buffer B { vec2 f; ivec2 i; uvec4 u; bvec2 b; };
void main() {
  f = subgroupClusteredAdd(f, 4u) + subgroupInclusiveMul(f) + subgroupExclusiveMin(f);
  i = subgroupClusteredMax(i, 8u) + subgroupInclusiveXor(i) + subgroupMin(i);
  u = subgroupPartitionNV(u.x) + subgroupPartitionedAddNV(u, u) + subgroupPartitionedInclusiveMaxNV(u, u) + subgroupPartitionedExclusiveAndNV(u, u);
  b = subgroupClusteredOr(b, 2u);
}
