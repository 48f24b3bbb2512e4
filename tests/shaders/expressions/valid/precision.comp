// RUN: coopc -std=310es --target-env=vulkan1.3 %s
// CHECK-SPIRV
// Precision of operations (4.7.3): the highest of the operands that have one.
precision mediump float;
precision highp int;
layout(local_size_x = 1) in;
layout(set = 0, binding = 0, std430) buffer Data { mediump float m; highp float h; lowp vec2 l; highp int i; mediump int mi; } b;
void main() {
  float x = b.m * 2.0 + b.l.x;
  highp float y = x * b.h;
  b.m = x + 1.0;
  b.h = y + 1.0;
  b.l = b.l * x;
  b.mi = b.mi + 1;
  b.i = b.i + b.mi;
  b.m = float(b.i) + x;
}
