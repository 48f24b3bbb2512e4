#version 450
layout(local_size_x = 1) in;
float a[2][];
float b[][3];
float c[][] = {{1.0, 2.0}, {3.0, 4.0}};
void main() { b[1][2] = c[1][1]; }
