#version 450
layout(local_size_x = 1) in;
layout(bindign = 0) buffer B { int x; } b;
layout(Std430, BINDING = 1) buffer C { int x; } c;
layout(nonsense, binding = 2) buffer E { int x; } e;
void main() {}
