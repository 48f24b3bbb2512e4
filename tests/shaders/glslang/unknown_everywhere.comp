// An extension that glslang does not know either: the error has the form that build systems look for.
#version 450
#extension GL_EXT_no_such_thing : require
layout(local_size_x = 1) in;
void main() {}
