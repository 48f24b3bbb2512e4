#version 450
layout(local_size_x = 1) in;
void x;
struct S { void a; };
layout(binding = 0) buffer B { void b; } b;
void main() { void y; }
