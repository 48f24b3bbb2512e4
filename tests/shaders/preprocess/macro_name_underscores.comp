// 3.3.
#version 450
#define my__macro 1
layout(local_size_x = 1) in;
void main() {}
