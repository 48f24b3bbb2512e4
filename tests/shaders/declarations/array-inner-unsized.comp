#version 450
layout(local_size_x = 1) in;
float a[2][];
float b[][3];
float c[][] = {{1.0, 2.0}, {3.0, 4.0}};
layout(binding = 2) buffer B { int y[3][]; int x[][2]; } d;
void main() { b[1][2] = c[1][1]; }
