#version 310 es
// Functions of ESSL 3.20 in 3.10.
layout(local_size_x = 1) in;
layout(set = 0, binding = 0) buffer Data { highp float x[]; };
void main() {
  x[0] = fma(x[1], x[2], x[3]);
}
