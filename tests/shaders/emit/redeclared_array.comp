// CHECK-SPIRV
#version 450
// The declaration that gives an array its size may give it values too: a constant, an expression, in a function.
layout(local_size_x = 1) in;
layout(set = 0, binding = 0) buffer Data { float r[8]; uint n; } data;
float x[];
float y[];
void change() { x[1] = 9.0; }
float x[] = float[2](1.0, 2.0);
float y[2] = float[2](data.r[7], 4.0);
void main() {
  float z[];
  change();
  float z[] = float[3](data.r[6], 5.0, 6.0);
  data.r[0] = x[0];
  data.r[1] = x[1];
  data.r[2] = y[data.n];
  data.r[3] = z[data.n];
}
