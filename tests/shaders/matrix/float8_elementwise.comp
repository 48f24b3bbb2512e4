// A function of each element of a matrix of 8-bit floats, lowered for devices that multiply halves.
#version 460
#extension GL_KHR_cooperative_matrix : require
#extension GL_KHR_memory_scope_semantics : require
#extension GL_NV_cooperative_matrix2 : require
#extension GL_EXT_float_e4m3 : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
layout(local_size_x = 32) in;
#define M(U) coopmat<floate4m3_t, gl_ScopeSubgroup, 16, 16, U>
#define C coopmat<float, gl_ScopeSubgroup, 16, 16, gl_MatrixUseAccumulator>
layout(set = 0, binding = 0) buffer In { floate4m3_t a[]; };
layout(set = 0, binding = 2) buffer Out { float c[]; };
floate4m3_t twice(const in uint row, const in uint column, const in floate4m3_t v) { return floate4m3_t(2 * float(v)); }
void main() {
  C sum = C(0);
  M(gl_MatrixUseA) x;
  M(gl_MatrixUseB) y;
  coopMatLoad(x, a, 0, 16, gl_CooperativeMatrixLayoutRowMajor);
  coopMatLoad(y, a, 256, 16, gl_CooperativeMatrixLayoutColumnMajor);
  coopMatPerElementNV(x, x, twice);
  sum = coopMatMulAdd(x, y, sum);
  coopMatStore(sum, c, 0, 16, gl_CooperativeMatrixLayoutRowMajor);
}
