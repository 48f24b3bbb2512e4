#version 450
layout(local_size_x = 1) in;
invariant foo;
precise bar;
float value;
precise valu;
void main() { precise value; }
