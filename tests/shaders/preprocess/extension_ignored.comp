// `enable` of an extension that does not exist.
#version 450
#extension GL_FOO_bar : enable
#extension GL_FOO_bar : warn
#extension GL_FOO_bar : disable
layout(local_size_x = 1) in;
void main() {}
