#version 450
layout(local_size_x = 1) in;
layout(push_constant, binding = 0) buffer B { int x; } b;
void main() {}
