#version 450
layout(local_size_x = 1) in;
layout(binding = 0, rgba8) uniform sampler2D a;
void main() {}
