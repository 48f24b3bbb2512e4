// 3.3.
#version 450
#define defined 1
#define __LINE__ 1
#undef __FILE__
#undef __VERSION__
layout(local_size_x = 1) in;
void main() {}
