// CHECK-SPIRV
#version 450
layout(local_size_x = 1) in;
layout(set = 0, binding = 0) buffer B { float x, y, z; vec4 v; mat4 m; float w; } b;
float scale(float a) { return a * 2.0 + 1.0; }
void fill(out float r, float a) { r = a * a + a; }
void main() {
  float loose = b.x * b.y + b.z;
  float feeds = b.x + b.y * 3.0;
  precise float p = feeds * 2.0 + scale(b.z);
  precise float q;
  fill(q, b.y);
  precise vec4 r = b.m * b.v;
  b.x = p + q;
  b.w = loose;
  b.v = r;
}
