#version 450
layout(local_size_x = 1) in;
layout(set = 0, binding = 1, r32ui) uniform writeonly uimage2D w;
void main() {
  uvec4 v = imageLoad(w, ivec2(0));
  imageAtomicAdd(w, ivec2(0), 1u);
}
