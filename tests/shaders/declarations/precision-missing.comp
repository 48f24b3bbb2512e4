#version 310 es
layout(local_size_x = 1) in;
layout(binding = 0, rgba8) readonly uniform image2D a;
precision highp image2D;
layout(binding = 1, rgba8) readonly uniform image2D b;
layout(binding = 2) uniform sampler2D c;
layout(binding = 3) uniform sampler3D d;
void main() {}
