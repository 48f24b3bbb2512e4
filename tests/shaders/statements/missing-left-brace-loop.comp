#version 450
layout(local_size_x = 1) in;
layout(binding = 0) buffer B { float r; uint u; } b;
void main() {
  for (int i = 0; i < 3; ++i)
    b.r = 1.0;
    b.u = 2u;
  }
  b.u = 3u;
  if (b.u == 1u) { b.u = 4u; }
}
void last() { b.r = unknown1; }
