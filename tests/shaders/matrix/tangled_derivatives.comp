// Derivatives, look-ups that use them, votes and conversions of matrices are tangled instructions (SPIR-V 2.2.5).
// RUN: coopc --target-env=vulkan1.3 %s
#version 460
#extension GL_KHR_cooperative_matrix : require
#extension GL_NV_cooperative_matrix2 : require
#extension GL_KHR_memory_scope_semantics : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
#extension GL_EXT_buffer_reference : require
#extension GL_KHR_compute_shader_derivatives : require
#extension GL_ARB_shader_group_vote : require
#extension GL_EXT_float_e4m3 : require
layout(local_size_x = 32) in;
layout(derivative_group_linearNV) in;
layout(set = 0, binding = 0) uniform sampler2D image;
#define MAT(T) coopmat<T, gl_ScopeSubgroup, 16, 16, gl_MatrixUseAccumulator>
MAT(float) wide = MAT(float)(1.0);
float derivative(const in uint r, const in uint c, const in float x) { return dFdx(x); }
float lookUp(const in uint r, const in uint c, const in float x) { return texture(image, vec2(x)).x; }
float lookUpLevel(const in uint r, const in uint c, const in float x) { return textureLod(image, vec2(x), 0.0).x; }
float query(const in uint r, const in uint c, const in float x) { return textureQueryLod(image, vec2(x)).x; }
float vote(const in uint r, const in uint c, const in float x) { return anyInvocationARB(x > 0.0) ? x : 0.0; }
float convert(const in uint r, const in uint c, const in float x) {
  MAT(floate4m3_t) narrow;
  saturatedConvertEXT(narrow, wide);
  return x;
}

void main() {
  MAT(float) m = MAT(float)(0.0);
  coopMatPerElementNV(m, m, derivative);
  coopMatPerElementNV(m, m, lookUp);
  coopMatPerElementNV(m, m, lookUpLevel);
  coopMatPerElementNV(m, m, query);
  coopMatPerElementNV(m, m, vote);
  coopMatPerElementNV(m, m, convert);
}
