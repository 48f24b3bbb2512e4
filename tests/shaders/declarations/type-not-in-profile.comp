#version 310 es
layout(local_size_x = 1) in;
layout(binding = 0) uniform sampler1D s;
void main() {
  double d;
}
