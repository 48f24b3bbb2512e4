// #include is an extension (the program switches it on, as glslc does: it is switched off here).
#version 450
#extension all : disable
#include "include/empty.glsl"
layout(local_size_x = 1) in;
void main() {}
