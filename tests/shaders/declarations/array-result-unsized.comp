#version 450
layout(local_size_x = 1) in;
float[] f() { return float[](1, 2); }
void main() {
  f(1);
  float[] q = 3;
  float[2][] r = float[](1, 2);
}
