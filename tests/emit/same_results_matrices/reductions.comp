// Reductions of each kind, with functions whose results do not depend on the order because floats compute them exactly.
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
float add(const in float a, const in float b) { return a + b; }
float largest(const in float a, const in float b) { return max(a, b); }
float helper(float a, float b) { return a < b ? a : b; }
float smallest(const in float a, const in float b) { return helper(a, b); }
#define SHAPE(R, C) coopmat<float, gl_ScopeSubgroup, R, C, gl_MatrixUseAccumulator>

void main() {
  SHAPE(16, 8) m;
  coopMatLoad(m, in_.f, 0, 8, kRow);
  SHAPE(16, 16) row;
  coopMatReduceNV(row, m, gl_CooperativeMatrixReduceRowNV, add);
  SHAPE(8, 8) column;
  coopMatReduceNV(column, m, gl_CooperativeMatrixReduceColumnNV, largest);
  SHAPE(8, 16) all;
  coopMatReduceNV(all, m, gl_CooperativeMatrixReduceRowAndColumnNV, smallest);
  SHAPE(16, 16) w;
  coopMatLoad(w, in_.f, 0, 16, kColumn);
  SHAPE(8, 8) quarter;
  coopMatReduceNV(quarter, w, gl_CooperativeMatrixReduce2x2NV, add);
  coopMatReduceNV(m, m, gl_CooperativeMatrixReduceRowNV, largest);
  coopMatStore(row, floats.x, base, 16, kRow);
  coopMatStore(column, floats.x, base + 256, 8, kRow);
  coopMatStore(all, floats.x, base + 320, 16, kRow);
  coopMatStore(quarter, floats.x, base + 448, 8, kRow);
  coopMatStore(m, floats.x, base + 512, 8, kRow);
}
