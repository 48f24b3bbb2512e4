// 3.3.
#version 450
#define EMPTY
#if
#elif 1
#endif
#if EMPTY
#endif
layout(local_size_x = 1) in;
void main() {}
