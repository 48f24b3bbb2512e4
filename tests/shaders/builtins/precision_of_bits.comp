#version 310 es
// CHECK-SPIRV
// Offsets and numbers of bits do not affect the precision of a result.
layout(local_size_x = 1) in;
layout(binding = 0, std430) buffer B { highp int h; mediump int m; mediump int n; };
void main() {
  mediump int a = bitfieldInsert(m, n, h, h);
  mediump int b = bitfieldExtract(m, h, h);
  highp int c = bitfieldInsert(h, n, m, n);
  highp int d = bitfieldInsert(m, h, n, n);
  m = a + b;
  h = c + d;
}
