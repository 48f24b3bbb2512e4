#version 450
layout(local_size_x = 64) in;
layout(binding = 0) buffer Data { uint x[]; };
void main() { x[gl_GlobalInvocationID.x] = gl_GlobalInvocationID.x; }
