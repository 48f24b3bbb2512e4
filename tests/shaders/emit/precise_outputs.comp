// CHECK-SPIRV
// A value that a built-in function writes to a precise variable is precise, and so are the values that it is computed from.
#version 460
layout(local_size_x = 1) in;
layout(set = 0, binding = 0) buffer B { float x[]; };
void main() {
  precise float whole;
  float part = modf(x[0] * x[1] + x[2], whole);
  float loose = x[3] * x[4] + x[5];
  x[6] = whole;
  x[7] = part + loose;
}
