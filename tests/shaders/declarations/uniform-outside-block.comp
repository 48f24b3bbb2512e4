#version 450
layout(local_size_x = 1) in;
uniform vec4 a;
uniform float b[3];
void main() {}
