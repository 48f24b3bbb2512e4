#version 450
layout(local_size_x = 1) in;
layout(push_constant) uniform A { int x; } a;
layout(push_constant) uniform B { int x; } b;
void main() {}
