#version 450
layout(local_size_x = 1) in;
float a
float b;
void f(int x { }
struct S { int a int b; };
layout(binding = 0) buffer B { int x; } b0
void main() {
  int i = 0
  int j = 1;
  if (i == 0 { j = 2; }
  for (int k = 0; k < 4, ++k) { j = 3; }
  vec4 v = vec4(1.0;
  j = 4;
}
