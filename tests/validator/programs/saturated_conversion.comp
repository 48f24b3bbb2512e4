// A saturated conversion to something other than an 8-bit float.
#version 460
#extension GL_KHR_cooperative_matrix : require
#extension GL_KHR_memory_scope_semantics : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
#extension GL_EXT_float_e4m3 : require
layout(local_size_x = 32) in;
void main() {
  coopmat<float, gl_ScopeSubgroup, 16, 16, gl_MatrixUseA> f = coopmat<float, gl_ScopeSubgroup, 16, 16, gl_MatrixUseA>(1.0);
  coopmat<float16_t, gl_ScopeSubgroup, 16, 16, gl_MatrixUseA> h;
  saturatedConvertEXT(h, f);
}
