#version 450
// Stores to and loads from images by their memory qualifiers (4.10, 8.12).
layout(local_size_x = 1) in;
layout(set = 0, binding = 0, r32ui) uniform readonly uimage2D r;
layout(set = 0, binding = 1, r32ui) uniform writeonly uimage2D w;
void main() {
  imageStore(r, ivec2(0), uvec4(1u));
  imageAtomicAdd(r, ivec2(0), 1u);
  ivec2 a = imageSize(r) + imageSize(w);
}
