// 3.3.
#version 455
layout(local_size_x = 1) in;
void main() {}
