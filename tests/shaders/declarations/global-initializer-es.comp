#version 310 es
layout(local_size_x = 1) in;
int x = 1;
int y = x + 1;
void main() {}
