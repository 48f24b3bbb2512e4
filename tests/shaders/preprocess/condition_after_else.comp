// 3.3.
#version 450
#if 0
#else
#else
#endif
#if 1
#else
#elif 1
#endif
layout(local_size_x = 1) in;
void main() {}
