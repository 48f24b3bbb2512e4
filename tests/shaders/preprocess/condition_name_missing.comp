// 3.3.
#version 450
#ifdef
#endif
#ifndef 1
#endif
layout(local_size_x = 1) in;
void main() {}
