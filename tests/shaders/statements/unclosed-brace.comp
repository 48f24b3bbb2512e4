#version 450
layout(local_size_x = 1) in;
layout(binding = 0) buffer B { float d[4]; } b;
void main() {
  if (b.d[0] > 1.0) {
    b.d[1] = 2.0;
  b.d[2] = 1.0;
}
