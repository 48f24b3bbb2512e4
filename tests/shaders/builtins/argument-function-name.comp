#version 450
// The name of a function is an argument of matrix built-ins only.
layout(local_size_x = 1) in;
float f(float a) { return a; }
void main() {
  float a = sin(f);
  float b = f(f);
}
