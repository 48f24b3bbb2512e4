#version 450
#ifdef NEVER
#error an empty generator expression became an argument
#endif
layout(local_size_x = WIDTH) in;
layout(binding = 0) buffer Data { uint x[]; };
void main() { x[gl_GlobalInvocationID.x] = OFFSETS.x + OFFSETS.y * FACE; }
