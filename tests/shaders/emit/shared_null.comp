// CHECK-SPIRV
// Null initializers (GL_EXT_null_initializer): OpConstantNull for shared variables of any type.
#version 450
#extension GL_EXT_null_initializer : require
layout(local_size_x = 1) in;
struct T { int a; vec2 b[2]; };
layout(set = 0, binding = 0) buffer B { int i; vec4 v; } b;
shared int one = {}, many[4] = {};
shared vec4 vector = {};
shared T structure = {};
T global = {};
void main() {
  T local = {{}, {}};
  b.i = one + many[1] + structure.a + global.a + local.a;
  b.v = vector;
}
