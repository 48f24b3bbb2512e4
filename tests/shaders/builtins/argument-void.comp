#version 450
// A call without a value is an argument.
layout(local_size_x = 1) in;
void nothing() {}
float f(float a) { return a; }
void main() {
  float a = sin(nothing());
  float b = f(nothing());
}
