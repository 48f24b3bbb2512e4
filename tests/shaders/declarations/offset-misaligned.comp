#version 450
layout(local_size_x = 1) in;
layout(binding = 0) buffer B { layout(offset = 2) int x; layout(offset = 8) vec4 v; } b;
void main() {}
