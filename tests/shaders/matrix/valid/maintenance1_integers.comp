// GL_EXT_cooperative_matrix_maintenance1 alone: integers are reduced, and one instruction changes the use together with the
// signedness, in both directions and transposed.
// RUN: coopc -fstrict -Werror --target-env=vulkan1.3 %s
// CHECK-SPIRV
// VALIDATE: newest the linked release does not know the extension
#version 460
#extension GL_KHR_cooperative_matrix : require
#extension GL_EXT_cooperative_matrix_maintenance1 : require
#extension GL_KHR_memory_scope_semantics : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
layout(local_size_x = 32) in;
layout(set = 0, binding = 0) buffer Data { int x[]; } data;
layout(set = 0, binding = 1) buffer Places { uvec2 x[]; } places;
#define MAT(T, R, C, U) coopmat<T, gl_ScopeSubgroup, R, C, gl_MatrixUse##U>
#define ROW_MAJOR gl_CooperativeMatrixLayoutRowMajor
int larger(const in int a, const in int b) { return max(a, b); }
int scale(const in uint32_t row, const in uint32_t column, const in int x, const in int by, const in int other) {
  return x * by + other;
}

void main() {
  MAT(int, 16, 8, Accumulator) m;
  coopMatLoad(m, data.x, 0, 8, ROW_MAJOR);
  MAT(int, 16, 4, Accumulator) rows;
  coopMatReduceEXT(rows, m, gl_CooperativeMatrixReduceRowEXT, larger);
  MAT(int, 4, 8, Accumulator) columns;
  coopMatReduceEXT(columns, m, gl_CooperativeMatrixReduceColumnEXT, larger);
  MAT(int, 32, 32, Accumulator) all;
  coopMatReduceEXT(all, m, gl_CooperativeMatrixReduceRowAndColumnEXT, larger);
  MAT(int, 8, 4, Accumulator) squares;
  coopMatReduceEXT(squares, m, gl_CooperativeMatrixReduce2x2EXT, larger);
  coopMatPerElementEXT(m, m, scale, 3, m);

  MAT(int, 16, 8, A) use = MAT(int, 16, 8, A)(m);
  MAT(uint, 16, 8, A) sign = MAT(uint, 16, 8, A)(m);
  MAT(int, 16, 8, Accumulator) back = MAT(int, 16, 8, Accumulator)(sign);
  MAT(uint, 8, 16, B) turned;
  coopMatTransposeEXT(turned, m);
  MAT(int8_t, 16, 8, A) narrow = MAT(int8_t, 16, 8, A)(m);
  MAT(uint8_t, 16, 8, A) both = MAT(uint8_t, 16, 8, A)(m);
  MAT(int, 16, 8, Accumulator) wide = MAT(int, 16, 8, Accumulator)(both);

  for (int i = 0; i < m.length(); ++i) places.x[i] = coopMatGetCoordinateEXT(m, i);
  coopMatStore(back + wide, data.x, 0, 8, ROW_MAJOR);
  coopMatStore(use, data.x, 0, 8, ROW_MAJOR);
  coopMatStore(turned, data.x, 0, 16, ROW_MAJOR);
  coopMatStore(narrow, data.x, 0, 8, ROW_MAJOR);
  coopMatStore(rows, data.x, 0, 4, ROW_MAJOR);
  coopMatStore(columns, data.x, 0, 8, ROW_MAJOR);
  coopMatStore(all, data.x, 0, 32, ROW_MAJOR);
  coopMatStore(squares, data.x, 0, 4, ROW_MAJOR);
}
