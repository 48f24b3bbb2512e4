// RUN: coopc --target-env=vulkan1.3 -g %s
// Debug information of matrices whose sizes are signed specialization constants.
#version 450
#extension GL_KHR_cooperative_matrix : require
#extension GL_KHR_memory_scope_semantics : require
layout(local_size_x = 32) in;
layout(constant_id = 0) const int kSigned = 16;
layout(constant_id = 1) const uint kUnsigned = 16;
const int kConstant = 8;
layout(binding = 0) buffer B { float x[]; } b;
void main() {
  coopmat<float, gl_ScopeSubgroup, kSigned, kUnsigned, gl_MatrixUseAccumulator> m;
  coopmat<float, gl_ScopeSubgroup, (kSigned * 2), kConstant, gl_MatrixUseA> a;
  coopMatLoad(m, b.x, 0, 16, gl_CooperativeMatrixLayoutRowMajor);
  coopMatLoad(a, b.x, 0, 16, gl_CooperativeMatrixLayoutRowMajor);
  coopMatStore(m, b.x, 0, 16, gl_CooperativeMatrixLayoutRowMajor);
  coopMatStore(a, b.x, 0, 16, gl_CooperativeMatrixLayoutRowMajor);
}
