// 3.3.
#version 450
#define
#define 1 2
#undef
#undef +
layout(local_size_x = 1) in;
void main() {}
