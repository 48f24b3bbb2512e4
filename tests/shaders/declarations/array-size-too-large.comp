#version 450
layout(local_size_x = 1) in;
float a[3000000000u];
void main() {}
