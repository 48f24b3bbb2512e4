// LengthOfUniformArray, and the rules for all runtime-sized arrays.
#version 460
#extension GL_EXT_uniform_buffer_unsized_array : require
layout(local_size_x = 1) in;
layout(std140, binding = 1) uniform U { float scale; float values[]; } u;
layout(std140, binding = 2) uniform N { float pairs[][]; };
layout(binding = 0) buffer B { float x; int i; };
float first(float list[2]) { return list[0]; }
void main() {
  x = u.values.length();
  x = u.values[-1];
  x = first(u.values);
}
