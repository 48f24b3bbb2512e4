#version 450
// Atomics need the single-component 32-bit formats (8.12).
layout(local_size_x = 1) in;
layout(set = 0, binding = 0, rgba32ui) uniform uimage2D u;
layout(set = 0, binding = 1, r16i) uniform iimage2D i;
layout(set = 0, binding = 2, rgba32f) uniform image2D f;
void main() {
  imageAtomicAdd(u, ivec2(0), 1u);
  imageAtomicAdd(i, ivec2(0), 1);
  imageAtomicExchange(f, ivec2(0), 1.0);
}
