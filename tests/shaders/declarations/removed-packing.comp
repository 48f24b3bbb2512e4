#version 450
layout(local_size_x = 1) in;
layout(packed, binding = 0) buffer B { int x; } b;
layout(shared) uniform;
void main() {}
