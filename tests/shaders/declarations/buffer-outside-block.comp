#version 450
layout(local_size_x = 1) in;
buffer float a;
void main() {}
