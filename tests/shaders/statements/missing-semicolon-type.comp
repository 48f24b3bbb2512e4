// A declaration whose type is a structure follows a structure, and a block, without a semicolon. Each is one
// error, and the others are found.
// RUN: coopc %s
#version 450
layout(local_size_x = 1) in;
struct S { float a; }
S make() { S s; s.a = 1; return s; }
layout(binding = 0) buffer D { S d[]; }
S other() { return nosuch; }
struct T { int b; } T
make(int x) { T t; t.b = x; return t; }
void main() { d[0] = make(); }
