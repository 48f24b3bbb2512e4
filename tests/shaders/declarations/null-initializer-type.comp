#version 450
layout(local_size_x = 1) in;
#extension GL_EXT_null_initializer : require
float a[] = {};
vec4 b = {};
struct S { int x; mat2 m; } c = {};
void main() {}
