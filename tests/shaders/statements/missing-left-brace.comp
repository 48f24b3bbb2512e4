#version 450
// A missing `{` is one error, and the functions after it are parsed.
layout(local_size_x = 1) in;
layout(binding = 0) buffer B { float r; uint u; } b;
void main()
  float x = 1.0;
  if (x > 1.0) {
    b.r = x;
  }
  b.u = 2u;
}
void last() { b.r = unknown1; }
