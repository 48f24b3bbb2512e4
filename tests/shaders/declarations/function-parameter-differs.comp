#version 450
layout(local_size_x = 1) in;
void f(int x, out int y);
void f(int x, int y) {}
void main() {}
