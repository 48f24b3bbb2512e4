#version 450
layout(local_size_x = 1) in;
attribute vec4 a;
varying vec4 b;
subroutine void f();
void main() {}
