// 3.3.
#version 450
#define TEXT(x) #x
layout(local_size_x = 1) in;
void main() {}
