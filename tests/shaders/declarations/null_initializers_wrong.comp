// {} is for numbers, booleans, and composites of them.
#version 460
#extension GL_EXT_null_initializer : require
#extension GL_EXT_buffer_reference : require
#extension GL_EXT_long_vector : require
layout(local_size_x = 32) in;
layout(buffer_reference, std430) buffer R { int a; };
struct S { R r; };
struct P { int a; vec3 b[2]; mat2 c; bool d; };
void main() {
  vector<float, 5> v = {};
  P p = {};
  int n[3] = {};
  R r = {};
  S s = {};
  S list[2] = {};
}
