#version 450
layout(local_size_x = 1) in;
void f(out sampler2D s, inout image2D i) {}
void main() {}
