// Fragment shaders have gl_Layer from 4.30 on.
// RUN: coopc %s
#version 420
layout(location = 0) out vec4 color;
void main() { color = vec4(gl_Layer); }
