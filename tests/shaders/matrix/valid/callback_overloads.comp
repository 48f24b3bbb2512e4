// An overload that takes the further arguments as they are is preferred to those that convert them (6.1).
// RUN: coopc --target-env=vulkan1.3 %s
// CHECK-SPIRV
#version 460
#extension GL_KHR_cooperative_matrix : require
#extension GL_NV_cooperative_matrix2 : require
#extension GL_KHR_memory_scope_semantics : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
#extension GL_EXT_buffer_reference : require
layout(local_size_x = 32) in;
layout(set = 0, binding = 0) buffer Data { float x[]; } data;
#define MAT coopmat<float, gl_ScopeSubgroup, 16, 16, gl_MatrixUseAccumulator>
float op(const in uint r, const in uint c, const in float x, const in int y) { return x + 1.0; }
float op(const in uint r, const in uint c, const in float x, const in float y) { return x + y; }
float op(const in uint r, const in uint c, const in float x) { return x; }

void main() {
  MAT m = MAT(0.0);
  coopMatPerElementNV(m, m, op, 1);
  coopMatPerElementNV(m, m, op, 1.0);
  coopMatPerElementNV(m, m, op, m);
  coopMatPerElementNV(m, m, op);
  coopMatStore(m, data.x, 0, 16, gl_CooperativeMatrixLayoutRowMajor);
}
