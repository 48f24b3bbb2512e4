#version 450
layout(local_size_x = 1) in;
layout(binding = 0) buffer B { uint b; };
void main() { b = gl_CoreIDARM; }
#extension GL_ARM_shader_core_builtins : require
void f() { gl_WarpIDARM = 1u; }
