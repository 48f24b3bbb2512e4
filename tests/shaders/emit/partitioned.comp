// CHECK-SPIRV
// GL_NV_shader_subgroup_partitioned, GL_EXT_shader_quad_control, GL_NV_shader_atomic_fp16_vector,
// GL_NV_shader_atomic_int64.
#version 450
#extension GL_NV_shader_subgroup_partitioned : require
#extension GL_EXT_shader_quad_control : require
#extension GL_NV_shader_atomic_fp16_vector : require
#extension GL_NV_shader_atomic_int64 : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
#extension GL_EXT_shader_subgroup_extended_types_float16 : require
layout(local_size_x = 8) in;
layout(binding = 0) buffer B {
  float f;
  uvec4 ballot;
  f16vec2 h2;
  f16vec4 h4;
  uint64_t wide;
  bvec2 flags;
};
void main() {
  ballot = subgroupPartitionNV(f);
  f = subgroupPartitionedAddNV(f, ballot) + subgroupPartitionedInclusiveMinNV(f, ballot);
  h4 = subgroupPartitionedExclusiveMulNV(h4, ballot);
  flags = subgroupPartitionedXorNV(flags, ballot);
  flags.x = subgroupQuadAll(f > 0) || subgroupQuadAny(f < gl_SubgroupSize);
  h2 = atomicAdd(h2, f16vec2(1)) + atomicMin(h2, f16vec2(2)) + atomicMax(h2, f16vec2(3));
  h4 += atomicExchange(h4, h4) + atomicAdd(h4, h4);
  wide = atomicMax(wide, 5ul);
}
