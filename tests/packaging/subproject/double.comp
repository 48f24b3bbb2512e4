#version 450
layout(binding = 0) buffer Values { float values[]; };
void main() { values[gl_GlobalInvocationID.x] *= 2.0; }
