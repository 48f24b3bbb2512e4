// GL_AMD_shader_ballot.
// RUN: coopc --target-env=vulkan1.1 %s
// RUN: coopc --target-env=vulkan1.1 -O %s
// CHECK-SPIRV
#version 450
#extension GL_AMD_shader_ballot : require
#extension GL_ARB_gpu_shader_int64 : require
layout(local_size_x = 64) in;
layout(binding = 0) buffer B { vec3 f; int i; uvec2 u; uint n; uint64_t m; };
void main() {
  f = swizzleInvocationsAMD(f, uvec4(1, 2, 3, 0)); i = swizzleInvocationsMaskedAMD(i, uvec3(1, 2, 3));
  u = writeInvocationAMD(u, uvec2(3), n); n = mbcntAMD(m);
  f = addInvocationsNonUniformAMD(f); i = minInvocationsExclusiveScanAMD(i); u = maxInvocationsInclusiveScanNonUniformAMD(u);
}
