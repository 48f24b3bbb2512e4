// 3.3.
#version 450
#if 1 +
#endif
#if (1
#endif
#if * 2
#endif
#if 1 == "x"
#endif
layout(local_size_x = 1) in;
void main() {}
