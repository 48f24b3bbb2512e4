// 3.3.
#version 450
#if defined
#endif
#if defined(1)
#endif
#if defined(A
#endif
layout(local_size_x = 1) in;
void main() {}
