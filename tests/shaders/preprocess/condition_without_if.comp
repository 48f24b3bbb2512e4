// 3.3.
#version 450
#else
#elif 1
#endif
#include "include/endif.glsl"
layout(local_size_x = 1) in;
void main() {}
