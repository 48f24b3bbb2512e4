#version 450
layout(local_size_x = 1) in;
buffer B { int x; } b;
uniform sampler2D s;
uniform U { int y; };
layout(push_constant) uniform P { int z; };
void main() {}
