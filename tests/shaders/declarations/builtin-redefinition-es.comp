#version 310 es
layout(local_size_x = 1) in;
float sin(float x) { return x; }
void main() {}
