#version 450
layout(local_size_x = 1) in;
layout(binding = 0) buffer B { vec4 x[200000000]; } b;
layout(binding = 1) buffer C { vec4 x[60000][60000]; } c;
void main() {}
