#version 450
layout(local_size_x = 1) in;
#extension GL_EXT_spirv_intrinsics : require
#define T spirv_type(id = 30)
layout(binding = 0) buffer B { T t; };
struct S { T t; };
spirv_instruction(id = 1) T make();
T result() { return make(); }
void main() {
  T a = make();
  a = make();
  T b = {};
  a == a;
  a + a;
  T(1);
  shared T c;
}
