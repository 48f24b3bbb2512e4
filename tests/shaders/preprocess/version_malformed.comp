// 3.3.
#version four
layout(local_size_x = 1) in;
void main() {}
