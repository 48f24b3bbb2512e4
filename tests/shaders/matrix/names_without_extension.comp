// Without the matrix extension, its types and functions do not exist, and neither do constants that other
// extensions have as well: the scopes, and the layouts of ARM (decision 77).
// RUN: coopc --target-env=vulkan1.3 %s
#version 450
layout(local_size_x = 32) in;
layout(binding = 0) buffer B { float x[]; };
int scope[5] = int[5](gl_ScopeDevice, gl_ScopeWorkgroup, gl_ScopeSubgroup, gl_ScopeInvocation,
                      gl_ScopeQueueFamily);
int blocked = gl_CooperativeMatrixLayoutRowBlockedInterleavedARM;
int reduce = gl_CooperativeMatrixReduceRowNV;
void main() {
  coopmat<float, 3, 16, 16, gl_MatrixUseA> m;
  coopMatLoad(x[0], x, 0, 16, gl_CooperativeMatrixLayoutRowMajor);
}
