// Matrices carried through loops, switches and early exits; chains of multiply-adds.
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
ACC(float) power(LEFT(float16_t, 16) a, RIGHT(float16_t, 16) b, int n) {
  ACC(float) c = ACC(float)(0.0);
  for (int i = 0; i < n; ++i) {
    if (i == 1) continue;
    c = coopMatMulAdd(a, b, c);
    if (i == 4) break;
  }
  return c;
}

void main() {
  ACC(float) f, g;
  coopMatLoad(f, in_.f, 0, 8, kRow);
  coopMatLoad(g, in_.f, 64, 8, kColumn);
  LEFT(float16_t, 16) a = LEFT(float16_t, 16)(f);
  RIGHT(float16_t, 16) b = RIGHT(float16_t, 16)(g);
  ACC(float) last = f, before = g;
  for (int i = 0; i < 5; ++i) {
    ACC(float) next;
    switch (in_.i[i] & 3) {
      case 0: next = last + before; break;
      case 1: next = last - before;
      case 2: next = power(a, b, i + 1); break;
      default: next = -last; break;
    }
    before = last;
    last = next;
    int k = 0;
    do {
      last[k] += 1.0;
    } while (++k < last.length() && k < 1);
    coopMatStore(last, floats.x, base + 256 * i, 16, kRow);
  }
  while (true) {
    last = coopMatMulAdd(a, b, coopMatMulAdd(a, b, last));
    if (in_.i[9] < 1000) break;
  }
  coopMatStore(last, floats.x, base + 1280, 16, kRow);
  coopMatStore(before, floats.x, base + 1536, 16, kRow);
  if (in_.i[3] > -1000) {
    ACC(float) once = before * 3.0;
    if (in_.i[4] > 1000) return;
    coopMatStore(once, floats.x, base + 1792, 16, kColumn);
  }
}
