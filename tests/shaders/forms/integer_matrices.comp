// CHECK-SPIRV
// Operands of integer products say which components are signed; conversions between integer matrices keep values.
#version 460
#extension GL_KHR_cooperative_matrix : require
#extension GL_KHR_memory_scope_semantics : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
layout(local_size_x = 32) in;
layout(binding = 0) buffer B { int8_t s[]; } b;
layout(binding = 1) buffer C { uint16_t u[]; } c;
#define A(T) coopmat<T, gl_ScopeSubgroup, 16, 32, gl_MatrixUseA>
#define M(T) coopmat<T, gl_ScopeSubgroup, 32, 16, gl_MatrixUseB>
#define S(T) coopmat<T, gl_ScopeSubgroup, 16, 16, gl_MatrixUseAccumulator>
void main() {
  A(int8_t) a;
  M(uint8_t) m = M(uint8_t)(3);
  coopMatLoad(a, b.s, 0, 32, gl_CooperativeMatrixLayoutRowMajor);
  S(int) sum = coopMatMulAdd(a, m, S(int)(0));
  S(uint) unsignedSum = coopMatMulAdd(A(uint8_t)(a), m, S(uint)(1));
  S(int) saturated = coopMatMulAdd(a, M(int8_t)(m), sum, gl_MatrixOperandsSaturatingAccumulation);
  S(int16_t) narrow = S(int16_t)(saturated);
  S(uint16_t) turned = S(uint16_t)(narrow) + S(uint16_t)(unsignedSum);
  S(int) wide = S(int)(turned) * S(int)(narrow);
  turned = S(uint16_t)(unsignedSum) / turned - S(uint16_t)(-wide);
  coopMatStore(turned, c.u, 0, 16, gl_CooperativeMatrixLayoutColumnMajor);
}
