#version 450
layout(local_size_x = 1) in;
coherent float a;
readonly shared int b;
struct S { restrict int a; };
readonly int f() { return 1; }
void main() {}
