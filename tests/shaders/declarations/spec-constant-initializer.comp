#version 450
layout(local_size_x = 1) in;
layout(constant_id = 0) const int a = 1;
layout(constant_id = 1) const int b = a;
int x;
layout(constant_id = 2) const int c = x;
void main() {}
