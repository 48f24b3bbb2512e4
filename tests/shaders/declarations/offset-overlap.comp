#version 450
layout(local_size_x = 1) in;
layout(binding = 0) buffer B { layout(offset = 16) vec4 a; layout(offset = 24) int b; int c; } b;
layout(binding = 1) buffer C { layout(offset = 16) vec4 a; layout(offset = 0) vec4 b; layout(offset = 32) int c; } c;
void main() {}
