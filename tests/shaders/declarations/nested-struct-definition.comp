#version 450
layout(local_size_x = 1) in;
struct S { struct T { int a; } t; };
layout(binding = 0) buffer B { struct U { int a; } u; } b;
void f(struct V { int a; } v) {}
void main() {}
