#version 450
layout(local_size_x = 1) in;
int a = {1};
vec2 b = {1.0, 2.0};
float c[2] = {{1.0}, 2.0};
void main() {}
