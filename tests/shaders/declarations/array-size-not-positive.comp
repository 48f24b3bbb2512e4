#version 450
layout(local_size_x = 1) in;
float a[0];
float b[-3];
float c[2 - 2];
layout(constant_id = 0) const int N = 0;
float d[N];
void main() {}
