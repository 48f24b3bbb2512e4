// All of GL_EXT_cooperative_matrix_maintenance1: constructors and conversions that change the use (5.4.X, 5.9),
// reductions of each mask (8.X), functions of elements with further arguments, transposes, coordinates of each use.
// RUN: coopc -fstrict -Werror --target-env=vulkan1.3 %s
// CHECK-SPIRV
// VALIDATE: newest the linked release does not know the extension
#version 450
#extension GL_KHR_cooperative_matrix : require
#extension GL_EXT_cooperative_matrix_maintenance1 : require
#extension GL_KHR_memory_scope_semantics : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
#if GL_EXT_cooperative_matrix_maintenance1 != 1
#error the macro
#endif
layout(local_size_x = 32) in;
layout(binding = 0) buffer Data { float x[]; } data;
layout(binding = 1) buffer Places { uvec2 x[]; } places;
#define MAT(T, R, C, U) coopmat<T, gl_ScopeSubgroup, R, C, gl_MatrixUse##U>
#define ROW_MAJOR gl_CooperativeMatrixLayoutRowMajor
float add(const in float a, const in float b) { return a + b; }
float16_t least(const in float16_t a, const in float16_t b) { return min(a, b); }
float plain(const in uint32_t row, const in uint32_t column, const in float x) { return x + float(row * column); }
float mixed(const in uint32_t row, const in uint32_t column, const in float x, const in vec2 v, const in float other,
            const in int n) {
  return row == column ? x * v.y : other * float(n);
}
void main() {
  MAT(float, 16, 8, Accumulator) m;
  coopMatLoad(m, data.x, 0, 8, ROW_MAJOR);
  // Constructors: change of the use alone, and of the component type too, in both directions.
  MAT(float, 16, 8, A) a = MAT(float, 16, 8, A)(m);
  MAT(float, 16, 8, B) b = MAT(float, 16, 8, B)(m);
  MAT(float16_t, 16, 8, A) ah = MAT(float16_t, 16, 8, A)(m);
  MAT(uint8_t, 16, 8, B) bu = MAT(uint8_t, 16, 8, B)(m);
  MAT(float, 16, 8, Accumulator) fromA = MAT(float, 16, 8, Accumulator)(a);
  MAT(float, 16, 8, Accumulator) fromB = MAT(float, 16, 8, Accumulator)(b);
  MAT(int, 16, 8, Accumulator) fromHalf = MAT(int, 16, 8, Accumulator)(ah);
  MAT(float, 16, 8, Accumulator) fromBytes = MAT(float, 16, 8, Accumulator)(bu);
  // Reductions.
  MAT(float, 16, 8, Accumulator) rows;
  coopMatReduceEXT(rows, m, gl_CooperativeMatrixReduceRowEXT, add);
  MAT(float, 16, 32, Accumulator) wideRows;
  coopMatReduceEXT(wideRows, m, gl_CooperativeMatrixReduceRowEXT, add);
  MAT(float, 32, 8, Accumulator) columns;
  coopMatReduceEXT(columns, m, gl_CooperativeMatrixReduceColumnEXT, add);
  MAT(float, 8, 16, Accumulator) all;
  coopMatReduceEXT(all, m, gl_CooperativeMatrixReduceRowAndColumnEXT, add);
  coopMatReduceEXT(all, m, gl_CooperativeMatrixReduceRowEXT | gl_CooperativeMatrixReduceColumnEXT, add);
  MAT(float, 8, 4, Accumulator) squares;
  coopMatReduceEXT(squares, m, gl_CooperativeMatrixReduce2x2EXT, add);
  MAT(float16_t, 16, 8, Accumulator) half_ = MAT(float16_t, 16, 8, Accumulator)(m);
  coopMatReduceEXT(half_, half_, gl_CooperativeMatrixReduceRowEXT, least);
  // Per-element functions.
  MAT(float, 16, 8, Accumulator) applied;
  coopMatPerElementEXT(applied, m, plain);
  coopMatPerElementEXT(applied, m, mixed, vec2(1, 2), applied, 3);
  coopMatPerElementEXT(a, a, plain);
  coopMatPerElementEXT(b, b, mixed, vec2(3, 4), b, int(gl_LocalInvocationIndex));
  // Transposes.
  MAT(float, 8, 16, A) ta;
  coopMatTransposeEXT(ta, m);
  MAT(float, 8, 16, B) tb;
  coopMatTransposeEXT(tb, m);
  MAT(float16_t, 8, 16, B) th;
  coopMatTransposeEXT(th, m);
  MAT(int8_t, 8, 16, A) ti;
  coopMatTransposeEXT(ti, m);
  // Coordinates.
  for (uint i = 0; i < m.length(); ++i) places.x[i] = coopMatGetCoordinateEXT(m, i);
  places.x[40] = coopMatGetCoordinateEXT(a, 0u) + coopMatGetCoordinateEXT(tb, 1u) + coopMatGetCoordinateEXT(th, 0u);
  coopMatStore(m + fromA + fromB + fromBytes + rows + applied, data.x, 0, 8, ROW_MAJOR);
  coopMatStore(fromHalf, data.x, 0, 8, ROW_MAJOR);
  coopMatStore(wideRows, data.x, 0, 32, ROW_MAJOR);
  coopMatStore(columns, data.x, 0, 8, ROW_MAJOR);
  coopMatStore(all, data.x, 0, 16, ROW_MAJOR);
  coopMatStore(squares, data.x, 0, 4, ROW_MAJOR);
  coopMatStore(half_, data.x, 0, 8, ROW_MAJOR);
  coopMatStore(ta, data.x, 0, 16, ROW_MAJOR);
  coopMatStore(ti, data.x, 0, 16, ROW_MAJOR);
}
