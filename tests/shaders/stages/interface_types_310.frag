#version 310 es
// ESSL: inputs follow the rules of the previous stage's outputs; only constants may index outputs.
// RUN: coopc %s
precision highp float;
struct Plain { vec4 a; };
layout(location = 0) in vec4 arrays[2][2];
layout(location = 4) in Plain structures[2];
layout(location = 6) flat in int i;
layout(location = 0) out vec4 o[2];
void main() {
  o[1] = vec4(1);
  o[i] = vec4(2);
}
