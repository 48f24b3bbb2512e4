#version 450
layout(local_size_x = 1) in;
in vec4 a;
out vec4 b;
layout(location = 0) out;
void main() {}
