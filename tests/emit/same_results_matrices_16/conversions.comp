// Constructors: scalars, component types, signedness, widths and uses.
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
  ACC(float) f;
  coopMatLoad(f, in_.f, 16, 8, kRow);
  ACC(int) s;
  coopMatLoad(s, in_.i, 0, 8, kRow);
  ACC(uint) u;
  coopMatLoad(u, in_.u, 0, 8, kColumn);
  ACC(float16_t) h = ACC(float16_t)(f);
  coopMatStore(ACC(float)(h) + ACC(float)(u), floats.x, base, 16, kRow);
  coopMatStore(ACC(float)(s), floats.x, base + 256, 16, kRow);
  coopMatStore(ACC(int)(f) + ACC(int)(h), ints.x, base + 512, 16, kRow);
  coopMatStore(ACC(uint)(s) - ACC(uint)(f * f), ints.x, base + 768, 16, kRow);
  const LEFT(float16_t, 16) a = LEFT(float16_t, 16)(f);
  const RIGHT(float16_t, 16) b = RIGHT(float16_t, 16)(h);
  coopMatStore(coopMatMulAdd(a, b, f), floats.x, base + 1024, 16, kRow);
  coopMatStore(ACC(float)(coopMatMulAdd(a, b, h)), floats.x, base + 1280, 16, kRow);
  coopMatStore(ACC(float)(in_.i[3]) + ACC(float)(in_.u[4]) + ACC(float)(3), floats.x, base + 1536, 16, kRow);
  coopMatStore(ACC(int)(in_.f[7]) + ACC(int)(2.5) + ACC(int)(u), ints.x, base + 1792, 16, kRow);
}
