#version 450
layout(local_size_x = 1) in;
struct S { };
layout(binding = 0) buffer B { } b;
void main() {}
