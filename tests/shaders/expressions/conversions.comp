#version 450
// Values that do not convert implicitly (4.1.10).
layout(local_size_x = 1) in;
struct S { float x; };
struct T { float x; };
float f(float x) { return x; }
void main() {
  int a = 1.5;
  int b = 1u;
  float c = true;
  bool d = 1;
  vec3 e = vec4(0.0);
  vec2 g = 1.0;
  float h = vec2(1.0);
  S s = S(1.0);
  T t = s;
  float arr[2] = int[2](1, 2);
  float i = 1.0lf;
  a = 2.0;
  if (a) a = 1;
  if (a = 1) a = 2;
  if (bvec2(true)) a = 3;
  while (1.0) a = 4;
}
