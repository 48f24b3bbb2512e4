// "The number of additional parameters and their types must match the signature of elemOp": none is converted.
// RUN: coopc --target-env=vulkan1.3 %s
#version 460
#extension GL_KHR_memory_scope_semantics : require
#extension GL_KHR_cooperative_matrix : require
#extension GL_NV_cooperative_matrix2 : require
layout(local_size_x = 32) in;
layout(binding = 0) buffer B { float x[]; };
float scaled(const in uint row, const in uint column, const in float value, const in uint by) { return value * by; }
float summed(const in uint row, const in uint column, const in float value, const in double other) {
  return value + float(other);
}
void main() {
  coopmat<float, gl_ScopeSubgroup, 16, 16, gl_MatrixUseAccumulator> m;
  coopMatLoad(m, x, 0, 16, gl_CooperativeMatrixLayoutRowMajor);
  coopMatPerElementNV(m, m, scaled, 3u);
  coopMatPerElementNV(m, m, scaled, 3);
  coopMatPerElementNV(m, m, summed, m);
  coopMatPerElementNV(m, m, summed, 1.0);
  coopMatPerElementNV(m, m, summed, 1.0LF);
  coopMatStore(m, x, 0, 16, gl_CooperativeMatrixLayoutRowMajor);
}
