#version 450
layout(local_size_x = 1) in;
void f(int x, void y) {}
void g(void) {}
void main() {}
