#version 420
#extension GL_ARB_compute_shader : require
#extension GL_ARB_compute_shader : disable
void main() {}
