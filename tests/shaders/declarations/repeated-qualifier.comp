#version 450
layout(local_size_x = 1) in;
const const int a = 1;
layout(binding = 0) readonly readonly buffer B { int x; } b;
uniform uniform vec4 c;
highp highp float d;
precise precise float e;
void main() {}
