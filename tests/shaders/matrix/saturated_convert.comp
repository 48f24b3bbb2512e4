// CHECK-SPIRV
// VALIDATE: newest the linked SPIRV-Tools does not know SPV_EXT_float8
#version 460
#extension GL_KHR_cooperative_matrix : require
#extension GL_NV_cooperative_matrix2 : require
#extension GL_KHR_memory_scope_semantics : require
#extension GL_EXT_float_e4m3 : require
#extension GL_EXT_float_e5m2 : require
#extension GL_EXT_bfloat16 : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
layout(local_size_x = 32) in;
#define M(T) coopmat<T, gl_ScopeSubgroup, 16, 16, gl_MatrixUseA>
void main() {
  M(floate4m3_t) e4;
  M(floate5m2_t) e5;
  M(float) f = M(float)(1000.0);
  saturatedConvertEXT(e4, f);
  saturatedConvertEXT(e5, M(float16_t)(f));
  saturatedConvertEXT(e5, M(bfloat16_t)(f));
  // Everything that constructors take: integers, the other 8-bit float, and another use.
  saturatedConvertEXT(e4, M(int)(1000));
  saturatedConvertEXT(e5, M(uint)(1000u));
  saturatedConvertEXT(e4, e5);
  saturatedConvertEXT(e4, coopmat<float, gl_ScopeSubgroup, 16, 16, gl_MatrixUseAccumulator>(1000.0));
}
