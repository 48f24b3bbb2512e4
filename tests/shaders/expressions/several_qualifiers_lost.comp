// One message for an argument, though its parameter lacks several qualifiers (GLSL 4.60, 4.10).
#version 460
layout(local_size_x = 1) in;
layout(set = 0, binding = 0, r32ui) coherent volatile restrict uniform uimage2D image;
void keep(coherent volatile restrict layout(r32ui) uimage2D i) { imageStore(i, ivec2(0), uvec4(1)); }
void lose(layout(r32ui) uimage2D i) { imageStore(i, ivec2(0), uvec4(1)); }
void main() {
  keep(image);
  lose(image);
}
