#version 450
layout(local_size_x = 1) in;
float a[];
void f() { a[5] = 1.0; }
float a[3];
float b[];
void g() { b[5] = 1.0; }
float b[6];
void main() {}
