#version 310 es
layout(local_size_x = 1) in;
void main() { vec2 a = {1.0, 2.0}; }
