// Tensors of bfloat16 and 8-bit floats, in the Vulkan memory model: coherent accesses say what they make available and visible.
// RUN: coopc --target-env=vulkan1.3 %s
// VALIDATE: newest the linked SPIRV-Tools does not know SPV_ARM_tensors
// CHECK-SPIRV
#version 460
#pragma use_vulkan_memory_model
#extension GL_ARM_tensors : require
#extension GL_ARM_tensors_bfloat16 : require
#extension GL_ARM_tensors_float_e5m2 : require
#extension GL_ARM_tensors_float_e4m3 : require
#extension GL_EXT_bfloat16 : require
#extension GL_EXT_float_e5m2 : require
#extension GL_EXT_float_e4m3 : require
#extension GL_KHR_memory_scope_semantics : require
#extension GL_EXT_nontemporal_keyword : require
layout(local_size_x = 8) in;
layout(binding = 0) uniform coherent tensorARM<bfloat16_t, 1> a;
layout(binding = 1) uniform workgroupcoherent nontemporal tensorARM<floate5m2_t, 1> b;
layout(binding = 2) uniform nonprivate tensorARM<floate4m3_t, 1> c;
layout(binding = 3) uniform volatile tensorARM<uint, 1> d;
void main() {
  const uint at[1] = uint[](gl_GlobalInvocationID.x);
  bfloat16_t x;
  tensorReadARM(a, at, x, gl_TensorOperandsOutOfBoundsValueARM, bfloat16_t(1.0));
  tensorWriteARM(a, at, x, gl_TensorOperandsNonTemporalARM);
  floate5m2_t y[2];
  tensorReadARM(b, at, y, gl_TensorOperandsOutOfBoundsValueARM, floate5m2_t(1.0));
  tensorWriteARM(b, at, y);
  floate4m3_t z;
  tensorReadARM(c, at, z);
  tensorWriteARM(c, at, z);
  uint w;
  tensorReadARM(d, at, w);
  tensorWriteARM(d, at, w + 1);
}
