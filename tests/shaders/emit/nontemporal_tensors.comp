// CHECK-SPIRV
// Each qualifier of a tensor alone.
#version 460
#extension GL_ARM_tensors : require
#extension GL_EXT_nontemporal_keyword : require
#extension GL_KHR_memory_scope_semantics : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
layout(local_size_x = 1) in;
layout(set = 0, binding = 0) uniform nontemporal tensorARM<float, 1> t;
layout(set = 0, binding = 1) uniform tensorARM<float, 1> u;
layout(set = 0, binding = 2) uniform nonprivate tensorARM<float, 1> v;
void main() {
  float f;
  tensorReadARM(t, uint[](0u), f);
  tensorWriteARM(u, uint[](0u), f);
  tensorReadARM(v, uint[](0u), f);
  tensorWriteARM(t, uint[](0u), f);
}
