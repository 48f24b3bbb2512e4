#version 450
layout(local_size_x = 1) in;
vec2 a = {1.0, 2.0, 3.0};
mat2 m = {vec2(1.0)};
void main() {}
