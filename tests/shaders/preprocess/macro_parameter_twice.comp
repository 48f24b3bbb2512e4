// 3.3.
#version 450
#define A(x, y, x) x
layout(local_size_x = 1) in;
void main() {}
