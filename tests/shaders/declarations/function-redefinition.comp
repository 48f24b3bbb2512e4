#version 450
layout(local_size_x = 1) in;
int f(int x) { return x; }
int f(float x) { return 1; }
int f(int y) { return y; }
void main() {}
