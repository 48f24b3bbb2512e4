#version 450
layout(local_size_x = 1) in;
struct S { int a = 1; };
layout(binding = 0) buffer B { int x = 2; } b;
void main() {}
