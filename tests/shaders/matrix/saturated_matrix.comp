#version 460
#extension GL_KHR_cooperative_matrix : require
#extension GL_KHR_memory_scope_semantics : require
#extension GL_EXT_float_e4m3 : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
layout(local_size_x = 32) in;
#define M(T, R) coopmat<T, gl_ScopeSubgroup, R, 16, gl_MatrixUseA>
void main() {
  M(floate4m3_t, 16) e4;
  M(float, 16) f;
  saturatedConvertEXT(e4, M(float, 32)(1.0));
  saturatedConvertEXT(f, e4);
  saturatedConvertEXT(e4, 1.0);
  saturatedConvertEXT(M(floate4m3_t, 16)(f), f);
  saturatedConvertEXT(e4);
}
