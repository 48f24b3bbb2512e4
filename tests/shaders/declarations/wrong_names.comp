// A wrong declaration still declares its names, as far as they are known, so that their uses are not errors.
// RUN: coopc %s
#version 450
layout(local_size_x = 1) in;
layout(binding = 0) buffer B { int x[]; };
varying vec4 a0;
attribute vec2 a1, a2;
static float a3 = 1.0;
inline int a4() { return 1; }
template<typename T> T a5(T a) { return a; }
enum E { a6, a7 };
groupshared float a8[4];
cbuffer C { float a9; };
RWTexture2D<float4> a10 : register(u0);
layout(binding = 2) buffer { float y[]; } a11;
unknown a12, a13[3];
unknown a14(int a) { return a; }
float2 a15(int a) { return a; }
typedef int a16;
uniform uint32 a17;
int a18 = 1 + ;
int a19(int a = 3) { return a; }
struct { int z } a20;
extern int a21[2];
void main() {
  int b0 = 1 int b1 = 2;
  unsigned int b2 = 3;
  long b3 = 4;
  auto b4 = 5;
  int *b5 = 6;
  int& b6 = b5;
  int b7 = ;
  static const int b8[2] = {1, 2};
  unknown b9;
  constexpr int b10 = 2;
  x[0] = int(a0.x) + a1.x + a2.y + a3 + a4() + a5(1) + a6 + a7 + a8[1] + a9;
  a10[x[0]] = a11.y[1];
  x[1] = a12.x + a13[2].y + a14(1).x + a15(2).y + a17 + a18 + a19() + a20.z + a21[1];
  a16 c = 3;
  x[2] = b0 + b1 + b2 + b3 + b4 + b5 + b6 + b7 + b8[1] + b9.x + b10 + c;
  for (unknown i = 0; i < 3; i++) x[i] = i;
  x[3] = really_undeclared + E(1);
}
int a22(int 3) { return 1; }
int a23(int a, { return 1; }
void other() {
  int b11(int a);
  x[0] = a22(1) + a23(2) + b11(3);
}
