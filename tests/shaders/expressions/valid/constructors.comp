// CHECK-SPIRV
#version 460
// Constructors (5.4): conversions, composition, matrices, arrays of arrays, structures, initializer lists.
layout(local_size_x = 1) in;
struct Light { vec3 at; float power; int ids[2]; };
layout(set = 0, binding = 0, std430) buffer Data {
  int i; uint u; float f; bool dummy; double d;
  vec2 f2; vec3 f3; vec4 f4; ivec4 i4; mat2 m2; mat3 m3; mat4 m4; mat2x3 m23;
} b;
layout(set = 0, binding = 1) uniform texture2D tex;
layout(set = 0, binding = 2) uniform sampler smp;
float value() { b.i++; return b.f; }
mat2 make() { b.i++; return b.m2; }
void main() {
  b.i = int(b.f);
  b.u = uint(b.i);
  b.f = float(b.i != 0);
  b.i = int(bool(b.f));
  b.f = float(b.f3);
  b.d = double(b.u);
  b.f2 = vec2(b.f3);
  b.f3 = vec3(b.f2, b.i);
  b.f3 = vec3(b.i);
  b.f4 = vec4(b.i4);
  b.f4 = vec4(b.m2);
  b.f4 = vec4(make());
  b.f3 = vec3(make());
  b.f4 = vec4(b.f, b.i4);
  b.f4 = vec4(b.i, b.m2);
  b.i4 = ivec4(b.f2, b.f2);
  b.m2 = mat2(b.f4);
  b.m2 = mat2(b.f);
  b.m3 = mat3(b.m2);
  b.m2 = mat2(b.m4);
  b.m23 = mat2x3(b.f2, b.f, b.f3);
  b.m3 = mat3(b.m23);
  b.m4 = mat4(b.f4, b.f4, 1, 2, 3, 4, b.f3, value());
  vec2 pairs[2][2] = vec2[][](vec2[](b.f2, b.f2), vec2[2](b.f2, vec2(1)));
  float list[] = float[](b.i, 2, b.f);
  Light light = Light(b.f3, b.i, int[2](1, 2));
  Light other = {b.f3, b.f, {3, 4}};
  mat2 braces = {{1, b.f}, b.f2};
  ivec3 vector = {1, 2, b.i};
  b.f4 = texture(sampler2D(tex, smp), pairs[1][0]) + list[2] + light.power + other.ids[1] + braces[0][1] + vector.z;
}
