#version 450
layout(local_size_x = 1) in;
int const a = 1;
float highp b;
void main() {}
