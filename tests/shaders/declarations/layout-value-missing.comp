#version 450
layout(local_size_x = 1) in;
layout(binding) buffer B { int x; } b;
layout(local_size_y) in;
void main() {}
