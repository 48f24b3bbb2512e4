#version 450
layout(local_size_x = 1) in;
layout(std430 = 1, binding = 0) buffer B { int x; } b;
void main() {}
