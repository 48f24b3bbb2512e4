// A file that includes itself.
#version 450
#include "include/itself.glsl"
layout(local_size_x = 1) in;
void main() {}
