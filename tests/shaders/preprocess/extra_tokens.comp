// Each directive ends with its line.
#version 450
#define A
#ifdef A B
#endif A
#undef A B
#if 1 2
#endif
#if 0
#else C
#endif
layout(local_size_x = 1) in;
void main() {}
