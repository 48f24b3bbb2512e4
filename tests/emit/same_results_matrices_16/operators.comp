// Operators on floats, halves and integers, compound assignments, scalars on either side, negation of unsigned components.
#version 460
#extension GL_KHR_cooperative_matrix : require
#extension GL_NV_cooperative_matrix2 : require
#extension GL_KHR_memory_scope_semantics : require
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
layout(local_size_x = 32) in;
layout(set = 0, binding = 0) readonly buffer In { float f[256]; int i[256]; uint u[256]; } in_;
layout(set = 0, binding = 1) buffer Floats { float x[4096]; } floats;
layout(set = 0, binding = 1) buffer Ints { int x[4096]; } ints;
#define ACC(T) coopmat<T, gl_ScopeSubgroup, 16, 16, gl_MatrixUseAccumulator>
#define LEFT(T, K) coopmat<T, gl_ScopeSubgroup, 16, K, gl_MatrixUseA>
#define RIGHT(T, K) coopmat<T, gl_ScopeSubgroup, K, 16, gl_MatrixUseB>
const int kRow = gl_CooperativeMatrixLayoutRowMajor, kColumn = gl_CooperativeMatrixLayoutColumnMajor;
uint base = gl_WorkGroupID.x * 2048;
void main() {
  ACC(float) a, b;
  coopMatLoad(a, in_.f, 0, 8, kRow);
  coopMatLoad(b, in_.f, 32, 8, kColumn);
  b = b * b + ACC(float)(1.0);
  ACC(int) s, t;
  coopMatLoad(s, in_.i, 0, 8, kRow);
  coopMatLoad(t, in_.i, 64, 8, kRow);
  t = t * t + ACC(int)(3);
  ACC(uint) u = ACC(uint)(s), v = ACC(uint)(t);
  coopMatStore((a + b) * 4.0 - (a - b), floats.x, base, 16, kRow);
  coopMatStore(a * b + -a, floats.x, base + 256, 16, kRow);
  coopMatStore(a * in_.f[9] + in_.f[10] * b, floats.x, base + 512, 16, kRow);
  coopMatStore(s / t + -s * t, ints.x, base + 768, 16, kRow);
  coopMatStore(s * in_.i[9] - t, ints.x, base + 1024, 16, kRow);
  coopMatStore(u / v + -u * 3u, ints.x, base + 1280, 16, kRow);
  ACC(float16_t) h = ACC(float16_t)(a);
  h += ACC(float16_t)(b);
  h *= float16_t(0.5);
  h -= -h;
  coopMatStore(ACC(float)(h), floats.x, base + 1536, 16, kRow);
  a += b;
  a *= 0.5;
  a -= b;
  s += t;
  s *= 2;
  s -= t;
  const ACC(float) c = ACC(float)(3.0) * 2.0 - ACC(float)(0.5);
  coopMatStore(c + a + ACC(float)(s), floats.x, base + 1792, 16, kRow);
}
