#version 450
layout(local_size_x = 1) in;
layout(constant_id = 7) const int a = 1;
layout(constant_id = 7) const int b = 1;
void main() {}
