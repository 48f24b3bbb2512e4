#version 450
layout(binding = 0) buffer B { float d[4]; } b;
[numthreads(8, 8, 1)]
void main() {
  b.d[0] = 1;
}
