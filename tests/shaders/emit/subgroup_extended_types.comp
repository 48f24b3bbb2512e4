// Each GL_EXT_shader_subgroup_extended_types_* extension enables the types themselves: "If GL_EXT_shader_subgroup_extended_types_int8 is
// enabled GL_EXT_shader_explicit_arithmetic_types_int8 is also implicitly enabled."
// CHECK-SPIRV
// RUN: coopc --target-env=vulkan1.3 %s
#version 450
#extension GL_KHR_shader_subgroup_quad : require
#extension GL_EXT_shader_subgroup_extended_types_int8 : require
#extension GL_EXT_shader_subgroup_extended_types_int16 : require
#extension GL_EXT_shader_subgroup_extended_types_int64 : require
#extension GL_EXT_shader_subgroup_extended_types_float16 : require
layout(local_size_x = 8) in;
layout(binding = 0) buffer Values {
  i8vec4 bytes;
  u16vec2 shorts;
  int64_t number;
  f16vec4 halves;
} values;
void main() {
  values.bytes = subgroupQuadSwapHorizontal(values.bytes + int8_t(1));
  values.shorts = subgroupQuadSwapVertical(values.shorts);
  values.number = subgroupQuadBroadcast(values.number, 1);
  values.halves = subgroupQuadSwapDiagonal(values.halves);
}
