#version 450
layout(local_size_x = 1) in;
layout(push_constant, set = 1, binding = 2) uniform A { int x; } a;
void main() {}
