// RUN: coopc --target-env=vulkan1.3 -g %s
// CHECK-SPIRV
// Debug information has the lines of the text that it holds, OpLine those that #line gives.
#version 450
#extension GL_GOOGLE_cpp_style_line_directive : require
layout(local_size_x = 1) in;
#line 900
layout(binding = 0) buffer B { float x[]; } b;
struct S { float member; };
float g;
#line 100 "other.glsl"
void f(float x) {
  S s;
  s.member = x;
  g = s.member;
}
#line 2
void main() {
  f(b.x[2]);
  { float longNameThatIsFarToTheRight = b.x[1]; b.x[3] = g + longNameThatIsFarToTheRight; }
}
