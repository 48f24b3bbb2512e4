#version 450
layout(local_size_x = 1) in;
sampler2D a;
shared sampler2D b;
void main() { sampler2D c; }
