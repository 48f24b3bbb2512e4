// The parameters of tensorARM, and where tensors may be declared (GL_ARM_tensors, 4.1.X).
#version 460
#extension GL_ARM_tensors : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
#extension GL_EXT_bfloat16 : require
#extension GL_EXT_float_e5m2 : require
#extension GL_EXT_float_e4m3 : require
#extension GL_EXT_float_e2m1 : require
layout(local_size_x = 1) in;
layout(constant_id = 0) const int NONE = 0;
layout(binding = 0) uniform tensorARM<int> a;
layout(binding = 1) uniform tensorARM<int, 1, 2> b;
layout(binding = 2) uniform tensorARM<1, int> c;
layout(binding = 3) uniform tensorARM<vec4, 1> d;
layout(binding = 4) uniform tensorARM<floate2m1_t, 1> e;
layout(binding = 5) uniform tensorARM<bfloat16_t, 1> f;
layout(binding = 6) uniform tensorARM<floate5m2_t, 1> g;
layout(binding = 7) uniform tensorARM<floate4m3_t, 1> h;
layout(binding = 8) uniform tensorARM<int, 0> i;
layout(binding = 9) uniform tensorARM<int, NONE> j;
layout(binding = 10) uniform tensorARM<int, (-1)> k;
layout(binding = 11) uniform tensorARM<int, 1.5> l;
layout(binding = 12) uniform tensorARM<int, int> m;
layout(binding = 13) uniform tensorARM n;
int rank = 2;
layout(binding = 14) uniform tensorARM<int, rank> o;
tensorARM<int, 1> plain;
shared tensorARM<int, 1> sharing;
struct S { tensorARM<int, 1> member; };
layout(binding = 15) uniform Block { tensorARM<int, 1> inside; };
tensorARM<int, 1> returned() { }
void written(out tensorARM<int, 1> t) { }
layout(binding = 16) uniform tensorARM<int, 1> good;
layout(binding = 17) uniform tensorARM<int, 2> other;
layout(binding = 18, rgba32f) uniform tensorARM<int, 1> formatted;
void takes(tensorARM<int, 1> t) { }
void main() {
  tensorARM<int, 1> local;
  good = other;
  takes(other);
  takes(good);
  bool same = good == good;
}
