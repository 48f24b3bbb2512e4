// #include is an extension. (The program enables it, as glslc does; it is disabled here.)
#version 450
#extension all : disable
#include "include/empty.glsl"
layout(local_size_x = 1) in;
void main() {}
