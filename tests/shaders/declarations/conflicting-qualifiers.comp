#version 450
layout(local_size_x = 1) in;
uniform const int a = 1;
shared uniform int b;
highp lowp float c;
void f(const out int x) { x = 1; }
void g(in out int x) { x = 1; }
void main() {}
