#version 450
layout(local_size_x = 1) in;
#extension GL_KHR_cooperative_matrix : require
layout(constant_id = 0) const uint M = 32;
void main() {
  coopmat<float, gl_ScopeSubgroup, M / 2, 16, gl_MatrixUseA> a;
  coopmat<float, gl_ScopeSubgroup, (M / 2), 16, gl_MatrixUseA> b;
}
