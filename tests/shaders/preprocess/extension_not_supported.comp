// `require` of an extension that does not exist.
#version 450
#extension GL_FOO_bar : require
layout(local_size_x = 1) in;
void main() {}
