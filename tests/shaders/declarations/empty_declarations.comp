#version 450
layout(local_size_x = 1) in;
int;
const float;
struct S { int x; };
uniform sampler2D;
inout vec2;
highp bool;
coherent float;
in float;
void main() {
  int;
  shared float;
}
