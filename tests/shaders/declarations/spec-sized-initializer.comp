#version 450
layout(local_size_x = 1) in;
layout(constant_id = 0) const int N = 2;
float a[N];
float b[N] = a;
void main() {}
