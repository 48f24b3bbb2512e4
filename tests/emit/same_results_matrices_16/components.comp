// Components: dynamic indices on both sides, as output arguments, with every operator, lengths in loops. Which elements they are is
// the driver's choice, the same for both compilers.
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
void swap(inout float a, inout float b) { const float t = a; a = b; b = t; }
void both(out float a, inout float b) { b += 0.5; a = b * 2.0; }

void main() {
  ACC(float) m, n;
  coopMatLoad(m, in_.f, 0, 8, kRow);
  coopMatLoad(n, in_.f, 64, 8, kColumn);
  for (int i = 0; i < m.length(); ++i) {
    m[i] = m[i] * 2.0 + float(i);
    n[m.length() - 1 - i] -= m[i];
  }
  coopMatStore(m, floats.x, base, 16, kRow);
  coopMatStore(n, floats.x, base + 256, 16, kRow);
  const uint k = gl_SubgroupInvocationID % uint(m.length());
  m[k]++;
  --m[0];
  const float old = m[1]++;
  m[1] += old;
  if (m.length() > 2) {
    swap(m[0], m[k]);
    both(n[k], n[2]);
    n[1] = m[2] = 7.0;
  }
  coopMatStore(m, floats.x, base + 512, 16, kRow);
  coopMatStore(n, floats.x, base + 768, 16, kRow);
  ACC(float) list[3];
  list[0] = m;
  list[1] = n;
  list[2] = m + n;
  for (int i = 0; i < list.length(); ++i) {
    list[i][k] += float(i);
    swap(list[i][0], list[(i + 1) % 3][1]);
  }
  for (int i = 0; i < 3; ++i) coopMatStore(list[i], floats.x, base + 1024 + 256 * i, 16, kRow);
  ints.x[base + 1792 + gl_SubgroupInvocationID] = m.length() * 3 - int(k);
  LEFT(float16_t, 16) h = LEFT(float16_t, 16)(2.0);
  for (int i = 0; i < h.length(); i += 2) h[i] += float16_t(in_.f[i]);
  float sum = 0.0;
  for (int i = 0; i < h.length(); ++i) sum += float(h[i]) * float(i + 1);
  floats.x[base + 1856 + gl_SubgroupInvocationID] = sum;
}
