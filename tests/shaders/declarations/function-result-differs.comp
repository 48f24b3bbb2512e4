#version 450
layout(local_size_x = 1) in;
int f(int x);
float f(int x);
void main() {}
