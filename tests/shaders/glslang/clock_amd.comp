// An extension that only glslang knows: compiled there, with a note.
// RUN: coopc --target-env=vulkan1.3 %s
// RUN: coopc --target-env=vulkan1.3 -w -O %s
// RUN: coopc --target-env=vulkan1.3 -fno-glslang %s
#version 460
#extension GL_AMD_gcn_shader : require
#extension GL_ARB_gpu_shader_int64 : require
layout(local_size_x = 8) in;
layout(set = 0, binding = 1) buffer Result { uint64_t times[]; };
void main() { times[gl_GlobalInvocationID.x] = timeAMD(); }
