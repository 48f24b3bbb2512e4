#version 310 es
// `precise` is part of ESSL 3.20, and comes to 3.10 by an extension.
layout(local_size_x = 1) in;
precise highp float a;
#extension GL_EXT_gpu_shader5 : require
precise highp float b;
void main() {}
