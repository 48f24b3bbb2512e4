#version 450
layout(local_size_x = 1) in;
layout(binding = 0) B { int x; } b;
readonly C { int y; };
void main() {}
