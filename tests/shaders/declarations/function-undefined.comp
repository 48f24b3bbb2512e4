#version 450
layout(local_size_x = 1) in;
int f(int x);
int g(int x);
int h() { return g(1); }
void main() { int a = f(1); }
