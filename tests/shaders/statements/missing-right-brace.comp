#version 450
// A missing `}` is one error, and the functions after it are parsed.
layout(local_size_x = 1) in;
layout(binding = 0) buffer B { float r; uint u; } b;
void main() {
  for (int i = 0; i < 3; ++i) {
    b.r = 1.0;
  b.u = 2u;
}
float last(float x) { return unknown1; }
