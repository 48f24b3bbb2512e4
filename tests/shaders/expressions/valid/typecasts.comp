// CHECK-SPIRV
#version 460
#extension GL_NV_explicit_typecast : require
#extension GL_EXT_buffer_reference : require
#extension GL_EXT_buffer_reference_uvec2 : require
#extension GL_EXT_shader_explicit_arithmetic_types_int64 : require
// Typecasts are constructors with one argument, right to left, after the unary operators in precedence (GL_NV_explicit_typecast).
layout(local_size_x = 1) in;
layout(buffer_reference, std430) buffer Node { int value; };
layout(set = 0, binding = 0, std430) buffer Data {
  int i; uint u; float f; bvec4 b; vec2 v2; vec3 v3; vec4 v4; mat2 m2; mat3 m3; uint64_t address; uvec2 halves; Node node;
} data;
const int kFolded = (int)2.75 + 1;
int three[kFolded];
void main() {
  three[0] = three.length();
  data.f = (float)data.i * 2.0;
  data.i = (int)-data.f;
  data.i = -(int)data.f;
  data.u = (uint)(int)data.f;
  data.f = (float)data.v3[1];
  data.v3 = (vec3)(1.0, 2.0, data.f);
  data.v2 = (vec2)data.v4;
  data.m2 = (mat2)data.v4;
  data.m3 = (mat3)data.m2;
  data.m2 = (mat2)data.f;
  data.f = (data.f) * (float(data.i));
  data.node = (Node)data.address;
  data.node = (Node)data.halves;
  data.address = (uint64_t)data.node;
  ((Node)data.address).value = (int)data.f++;
}
