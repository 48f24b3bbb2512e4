#version 450
layout(local_size_x = 1) in;
struct S { sampler2D s; };
layout(binding = 0) uniform U { image2D i; } u;
void main() {}
