#version 450
layout(local_size_x = 1) in;
struct S { int a; float b; int a; };
layout(binding = 0) buffer B { int x; float x; } b;
void main() {}
