// Where `in out` is wrong: with `inout` beside one of them, with a third qualifier, on variables.
#version 450
layout(local_size_x = 1) in;
in out vec4 global;
void a(inout in int x) { x = 1; }
void b(in inout int x) { x = 1; }
void c(in out in int x) { x = 1; }
void d(const in out int x) { x = 1; }
void main() {}
