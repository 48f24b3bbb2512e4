// GL_EXT_abort: messages of every kind of argument; code after a call is not emitted, nor is a `return` missed there.
// VALIDATE: newest the linked SPIRV-Tools does not know SPV_KHR_abort
// RUN: coopc --target-env=vulkan1.3 %s
// CHECK-SPIRV
#version 460
#extension GL_EXT_abort : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
layout(local_size_x = 1) in;
struct Inner { mat3 m; bool flags[2]; };
layout(binding = 0) buffer B { uint x; vec3 v; double d; float16_t h; uint8_t bytes[3]; };
int positive(int a) {
  if (a > 0) return a;
  abortEXT("not positive: %d\n", a);
}
void main() {
  if (x == 1u) abortEXT();
  if (x == 2u) abortEXT("\x41\102 \"quoted\"");
  Inner inner;
  inner.m = mat3(v.x);
  inner.flags[0] = inner.flags[1] = x > 4u;
  if (x == 3u) abortEXT("all", x, v, d, h, bytes, inner, true, bvec2(x == 1u), mat2x3(v.x));
  x = x > 7u ? (abortEXT("in an expression"), 1u) : 2u;
  x = uint(positive(int(x)));
}
