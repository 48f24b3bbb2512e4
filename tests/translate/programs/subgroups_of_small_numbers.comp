//! glsl compiles
//! hlsl written
//! msl written
//! glsl has #extension GL_EXT_shader_subgroup_extended_types_int8 : require
//! glsl has #extension GL_EXT_shader_subgroup_extended_types_int16 : require
//! glsl has #extension GL_EXT_shader_subgroup_extended_types_int64 : require
//! glsl has #extension GL_EXT_shader_subgroup_extended_types_float16 : require
#version 460
#extension GL_EXT_shader_explicit_arithmetic_types : require
#extension GL_KHR_shader_subgroup_arithmetic : require
#extension GL_KHR_shader_subgroup_vote : require
#extension GL_KHR_shader_subgroup_shuffle : require
#extension GL_EXT_shader_subgroup_extended_types_int8 : require
#extension GL_EXT_shader_subgroup_extended_types_int16 : require
#extension GL_EXT_shader_subgroup_extended_types_int64 : require
#extension GL_EXT_shader_subgroup_extended_types_float16 : require
layout(local_size_x = 8) in;
layout(binding = 0, std430) buffer O { uint o[]; };
void main() {
  uint i = gl_LocalInvocationIndex, x = o[i];
  o[i] = uint(subgroupAdd(uint8_t(x))) + uint(subgroupMax(uint64_t(x))) + uint(subgroupShuffle(u16vec2(x), 1u).y);
  if (subgroupAllEqual(float16_t(x))) o[i] = 0u;
}
