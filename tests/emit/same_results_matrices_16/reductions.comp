// Reductions of each kind, with functions whose results do not depend on the order because floats compute them exactly.
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
#define SHAPE(R, C) coopmat<float, gl_ScopeSubgroup, R, C, gl_MatrixUseAccumulator>
float add(const in float a, const in float b) { return a + b; }
float largest(const in float a, const in float b) { return max(a, b); }
float helper(float a, float b) { return a < b ? a : b; }
float smallest(const in float a, const in float b) { return helper(a, b); }

void main() {
  SHAPE(32, 16) m;
  coopMatLoad(m, in_.f, 0, 4, kRow);
  SHAPE(32, 32) row;
  coopMatReduceNV(row, m, gl_CooperativeMatrixReduceRowNV, add);
  coopMatStore(row, floats.x, base, 32, kRow);
  SHAPE(16, 16) column;
  coopMatReduceNV(column, m, gl_CooperativeMatrixReduceColumnNV, largest);
  SHAPE(16, 32) all;
  coopMatReduceNV(all, m, gl_CooperativeMatrixReduceRowAndColumnNV, smallest);
  SHAPE(32, 32) w;
  coopMatLoad(w, in_.f, 0, 4, kColumn);
  SHAPE(16, 16) quarter;
  coopMatReduceNV(quarter, w, gl_CooperativeMatrixReduce2x2NV, add);
  coopMatStore(column + quarter * 64.0, floats.x, base + 1024, 16, kRow);
  coopMatStore(all, floats.x, base + 1280, 32, kColumn - kColumn);
  coopMatReduceNV(quarter, column, gl_CooperativeMatrixReduceRowNV, largest);
  coopMatStore(quarter, floats.x, base + 1792, 16, kRow);
}
