// 3.3.
#version 450
#include "include/if.glsl"
#if 1
#ifdef A
layout(local_size_x = 1) in;
void main() {}
