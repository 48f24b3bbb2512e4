// A name in quotes or angle brackets.
#version 450
#define NAME "include/empty.glsl"
#include NAME
#include
#include "include/empty.glsl
layout(local_size_x = 1) in;
void main() {}
