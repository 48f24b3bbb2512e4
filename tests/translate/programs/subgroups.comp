//! glsl compiles
//! hlsl refused SPIRV-Cross refuses it: Cannot trivially implement ClusteredReduce in HLSL
//! msl written
#version 450
#extension GL_KHR_shader_subgroup_clustered : enable
#extension GL_KHR_shader_subgroup_shuffle_relative : enable
#extension GL_KHR_shader_subgroup_rotate : enable
#extension GL_KHR_shader_subgroup_quad : enable
#extension GL_KHR_shader_subgroup_vote : enable
#extension GL_KHR_shader_subgroup_ballot : enable
layout(local_size_x = 32) in;
layout(binding = 0) buffer O { float f[]; };
void main() {
  uint i = gl_LocalInvocationIndex;
  f[i] = subgroupClusteredAdd(f[i], 4) + subgroupShuffleUp(f[i], 1) + subgroupRotate(f[i], 1) + subgroupQuadSwapDiagonal(f[i]);
  f[i] += subgroupClusteredRotate(f[i], 1, 4);
  if (subgroupAllEqual(f[i])) f[i] = subgroupBroadcast(f[i], 3) + float(subgroupBallotBitCount(subgroupBallot(f[i] > 1.0)));
}
