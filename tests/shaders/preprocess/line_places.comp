// Locations after #line, in included files too.
#version 450
#include "include/lines.glsl"
#line 100
int a = @;
#line 200 "named.glsl"
int b = @;
#line 300 7
int c = @;
layout(local_size_x = 1) in;
void main() {}
