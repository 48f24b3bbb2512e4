#version 320 es
#define A(x) a ## x
layout(local_size_x = 1) in;
void main() {}
