#version 450
layout(local_size_x = 1) in;
float16_t a;
layout(buffer_reference) buffer B { int x; };
shared coopmat<float, 3, 16, 16, 0> m;
layout(scalar, binding = 0) buffer C { vec3 y; } c;
void main() {
  int64_t x = int64_t(1);
  uint8_t y = uint8_t(x);
}
