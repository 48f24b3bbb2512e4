#version 450
layout(local_size_x = 1) in;
layout(binding = 0) uniform sampler2D s = 1;
void main() {}
