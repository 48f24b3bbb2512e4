#version 450
layout(local_size_x = 1) in;
layout(set = 0, binding = 0) buffer Data { float f; int i; } data;
void main() { data.f = (float)data.i; }
