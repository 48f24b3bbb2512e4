// RUN: coopc -std=320es --target-env=vulkan1.1 %s
// CHECK-SPIRV
precision mediump float;
precision highp int;
layout(local_size_x = 1) in;
struct S { lowp vec2 a; highp float b; };
layout(set = 0, binding = 0) buffer B { mediump float m; highp float h; mediump int i; S s; } b;
layout(set = 0, binding = 1) uniform mediump sampler2D t;
mediump float half_(highp float x) { return x * 0.5; }
void main() {
  float x = b.m * 2.0 + 1.0;
  highp float y = b.h * 2.0;
  mediump int k = b.i + 3;
  b.h = x + y;
  b.m = half_(y) * x;
  b.i = k * int(x);
  b.s.a = b.s.a.yx * textureLod(t, vec2(x), 0.0).xy;
  b.s.b = b.s.a.x > x ? y : x;
}
