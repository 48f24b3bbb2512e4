// GL_EXT_uniform_buffer_unsized_array: runtime-sized arrays at the end of uniform blocks and of arrays of them.
// RUN: coopc --target-env=vulkan1.3 %s
// VALIDATE: newest the linked SPIRV-Tools does not know the rule
// CHECK-SPIRV
#version 460
#extension GL_EXT_uniform_buffer_unsized_array : require
layout(local_size_x = 1) in;
struct Pair { vec2 a; float b; };
layout(std140, binding = 1) uniform U { float scale; float values[]; } u;
layout(std140, binding = 2) uniform P { Pair pairs[]; } p[2];
layout(binding = 0) buffer B { float x; int i; };
void main() {
  x = u.values[i] * u.values[3] * u.scale + p[1].pairs[i].b;
}
