#version 450
layout(local_size_x = 1) in;
layout(binding = 0) buffer B { int x; } b1;
layout(binding = 1) buffer B { int x; } b2;
layout(binding = 2) uniform B { int x; } b3;
void main() {}
