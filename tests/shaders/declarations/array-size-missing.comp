#version 450
layout(local_size_x = 1) in;
struct S { float a[]; };
void f(float a[]) {}
float[] g() { return float[](1.0); }
void main() {}
