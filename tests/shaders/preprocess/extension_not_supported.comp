// `require` of what is not there.
#version 450
#extension GL_FOO_bar : require
layout(local_size_x = 1) in;
void main() {}
