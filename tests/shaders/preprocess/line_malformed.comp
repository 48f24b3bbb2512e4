// 3.3.
#version 450
#line
#line here
#line 1 2 3
layout(local_size_x = 1) in;
void main() {}
