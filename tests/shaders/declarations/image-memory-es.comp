#version 310 es
layout(local_size_x = 1) in;
precision highp image2D;
precision highp uimage2D;
layout(binding = 0) writeonly uniform image2D noFormat;
layout(binding = 1, rgba8) uniform image2D both;
layout(binding = 2, rgba8) readonly uniform image2D one;
layout(binding = 3, r32ui) uniform uimage2D word;
void main() {}
