// 3.3.
#version 450
#line 99999999999
layout(local_size_x = 1) in;
void main() {}
