#version 310 es
layout(local_size_x = 1) in;
layout(binding = 0) buffer B { int x[]; int y; } b;
layout(binding = 1) uniform U { int x[]; } u;
layout(binding = 2) buffer C { int y; int x[]; } c;
void main() {}
