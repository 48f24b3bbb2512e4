// An extension that only glslang knows: compiled there, with a note.
// RUN: coopc --target-env=vulkan1.3 %s
// RUN: coopc --target-env=vulkan1.3 -w -O %s
// RUN: coopc --target-env=vulkan1.3 -fno-glslang %s
#version 460
#extension GL_NV_ray_tracing : require
layout(local_size_x = 8) in;
layout(set = 0, binding = 0) uniform accelerationStructureNV scene;
layout(set = 0, binding = 1) buffer Result { uint hits[]; };
void main() { hits[gl_GlobalInvocationID.x] = 1u; }
