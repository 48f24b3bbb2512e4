#version 450
layout(local_size_x = 1) in;
layout(binding = 0) buffer B { float r; uint u; } b;
void main() {
  if (b.u == 1u) {
    b.u = 2u;
  else
    b.u = unknown1;
}
void last() { b.r = unknown2; }
