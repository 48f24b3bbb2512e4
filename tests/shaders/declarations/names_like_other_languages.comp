// Words of other languages as names of variables: in an expression, and beside a declared name, they are
// misspelled names.
// RUN: coopc %s
#version 450
layout(local_size_x = 1) in;
layout(binding = 0) buffer B { float x; };
struct Half { float a; };
const float kernels[3] = float[3](1.0, 2.0, 3.0);
float variable(float a) { return a; }
void main() {
  for (int i = 0; i < 3; ++i) x += kernel[i];
  float vars = 1.0;
  x += var;
  x += auto;
  x += let(2.0);
  half b;
  x += f32(1);
}
