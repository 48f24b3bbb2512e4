// Without GL_EXT_uniform_buffer_unsized_array the array gets its size from the constant indices.
#version 460
layout(local_size_x = 1) in;
layout(std140, binding = 1) uniform U { float scale; float values[]; } u;
layout(binding = 0) buffer B { float x; int i; };
void main() { x = u.values[i]; }
