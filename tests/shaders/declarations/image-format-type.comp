#version 450
layout(local_size_x = 1) in;
layout(binding = 0, rgba32i) uniform image2D a;
layout(binding = 1, r32f) uniform uimage2D b;
layout(binding = 2, r32ui) uniform uimage2D c;
void main() {}
