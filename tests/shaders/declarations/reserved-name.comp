#version 450
layout(local_size_x = 1) in;
int gl_Foo;
void gl_f() {}
struct gl_S { int a; };
int with__underscores;
void main() { float gl_x = 1.0; }
