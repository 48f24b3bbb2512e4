#version 310 es
layout(local_size_x = 1) in;
layout(binding = 0) uniform highp samplerCubeArray s;
void main() {}
