#version 450
// Calls of names that are not functions.
layout(local_size_x = 1) in;
layout(set = 0, binding = 0) buffer Data { float x[]; };
float scale = 2.0;
void main() {
  float sin = 1.0;
  x[0] = scale(1.0) + sin(x[1]) + x(0);
}
