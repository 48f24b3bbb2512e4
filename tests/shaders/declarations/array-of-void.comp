#version 450
layout(local_size_x = 1) in;
void f(void x[2]) {}
void main() {}
