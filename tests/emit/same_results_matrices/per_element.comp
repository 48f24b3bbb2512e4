// Functions for each element: the coordinates, further scalars, vectors and matrices; globals and shared memory. (Structures and
// arrays are in another test, because the driver does not accept them.)
#version 460
#extension GL_KHR_cooperative_matrix : require
#extension GL_NV_cooperative_matrix2 : require
#extension GL_KHR_memory_scope_semantics : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
layout(local_size_x = 8) in;
layout(set = 0, binding = 0) readonly buffer In { float f[256]; int i[256]; uint u[256]; } in_;
layout(set = 0, binding = 1) buffer Floats { float x[4096]; } floats;
layout(set = 0, binding = 1) buffer Ints { int x[4096]; } ints;
#define ACC(T) coopmat<T, gl_ScopeSubgroup, 8, 8, gl_MatrixUseAccumulator>
#define LEFT(T) coopmat<T, gl_ScopeSubgroup, 8, 8, gl_MatrixUseA>
#define RIGHT(T) coopmat<T, gl_ScopeSubgroup, 8, 8, gl_MatrixUseB>
const int kRow = gl_CooperativeMatrixLayoutRowMajor, kColumn = gl_CooperativeMatrixLayoutColumnMajor;
uint base = gl_WorkGroupID.x * 2048;
shared float table[8];
float offset = 0.25;
float coordinates(const in uint r, const in uint c, const in float x) { return x + float(r * 16 + c) + offset; }
float further(const in uint r, const in uint c, const in float x, const in float y, const in vec2 v, const in int k) {
  return x * v.x + y * v.y + float(k);
}
float looked(const in uint r, const in uint c, const in float x) { return r < 4u ? x : table[c] * 2.0; }

void main() {
  table[gl_LocalInvocationIndex] = in_.f[gl_LocalInvocationIndex];
  barrier();
  ACC(float) m, n;
  coopMatLoad(m, in_.f, 8, 8, kRow);
  coopMatLoad(n, in_.f, 80, 8, kRow);
  ACC(float) r;
  coopMatPerElementNV(r, m, coordinates);
  coopMatStore(r, floats.x, base, 8, kRow);
  coopMatPerElementNV(r, m, further, n, vec2(0.5, 2.0), in_.i[7]);
  coopMatStore(r, floats.x, base + 64, 8, kRow);
  offset = 2.0;
  coopMatPerElementNV(m, m, coordinates);
  coopMatStore(m, floats.x, base + 128, 8, kRow);
  coopMatPerElementNV(n, m + n, looked);
  coopMatStore(n, floats.x, base + 192, 8, kRow);
}
