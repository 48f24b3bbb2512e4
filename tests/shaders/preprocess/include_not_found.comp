// No such file.
#version 450
#include "include/no_such_file.glsl"
#include <empty.glsl>
layout(local_size_x = 1) in;
void main() {}
