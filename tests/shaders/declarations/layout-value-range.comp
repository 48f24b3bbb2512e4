#version 450
layout(local_size_x = 1) in;
layout(binding = -1) buffer B { int x; } b;
layout(set = 2147483648u, binding = 0) buffer C { int x; } c;
void main() {}
