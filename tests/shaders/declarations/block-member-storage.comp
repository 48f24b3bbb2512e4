#version 450
layout(local_size_x = 1) in;
layout(binding = 0) buffer B { uniform int x; buffer int y; } b;
void main() {}
