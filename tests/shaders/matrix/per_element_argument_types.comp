// Further arguments of coopMatPerElementNV have their parameters' types, without conversions: a message names the
// wrong argument, not the function.
// RUN: coopc --target-env=vulkan1.3 %s
#version 450
#extension GL_KHR_memory_scope_semantics : require
#extension GL_KHR_cooperative_matrix : require
#extension GL_NV_cooperative_matrix2 : require
layout(local_size_x = 32) in;
layout(binding = 0) buffer B { float x[]; };
float scale(const in uint r, const in uint c, const in float e, const in uint k) { return e * float(k); }
float plain(const in uint r, const in uint c, const in float e) { return e; }
float two(const in uint r, const in uint c, const in float e, const in vec2 a, const in int b) { return e + a.x; }
float over(const in uint r, const in uint c, const in float e, const in uint k) { return e; }
float over(const in uint r, const in uint c, const in float e, const in float k) { return e; }
void main() {
  coopmat<float, gl_ScopeSubgroup, 16, 16, gl_MatrixUseAccumulator> m =
      coopmat<float, gl_ScopeSubgroup, 16, 16, gl_MatrixUseAccumulator>(1.0);
  coopMatPerElementNV(m, m, scale, 3u);
  coopMatPerElementNV(m, m, scale, 3);
  coopMatPerElementNV(m, m, scale, x[0]);
  coopMatPerElementNV(m, m, two, vec2(0), 1u);
  coopMatPerElementNV(m, m, two, vec3(0), 1);
  coopMatPerElementNV(m, m, scale, m);
  coopMatPerElementNV(m, m, over, 3);
  coopMatPerElementNV(m, m, scale);
  coopMatPerElementNV(m, m, plain, 1u, 2u);
}
