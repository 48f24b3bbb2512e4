#version 310 es
layout(local_size_x = 1) in;
const int N = 1;
layout(binding = N) buffer B { int x; } b;
void main() {}
