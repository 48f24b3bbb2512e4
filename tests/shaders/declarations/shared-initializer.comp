#version 450
layout(local_size_x = 1) in;
#extension GL_EXT_null_initializer : require
shared int a = 1;
shared int b = {};
void main() { b = a; }
