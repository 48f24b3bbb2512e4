// ES (3.4): not even a comment stands before it.
#version 310 es
layout(local_size_x = 1) in;
void main() {}
