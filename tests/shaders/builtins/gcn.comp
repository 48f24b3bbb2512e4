// GL_AMD_gcn_shader: the time is read even if it is not used, because reading it has an effect.
// RUN: coopc --target-env=vulkan1.1 %s
// RUN: coopc --target-env=vulkan1.1 -O %s
// CHECK-SPIRV
#version 450
#extension GL_AMD_gcn_shader : require
#extension GL_ARB_gpu_shader_int64 : require
layout(local_size_x = 1) in;
layout(binding = 0) buffer B { vec3 d; float f; vec2 c; uint64_t t; };
void main() { f = cubeFaceIndexAMD(d); c = cubeFaceCoordAMD(d); t = timeAMD(); timeAMD(); }
