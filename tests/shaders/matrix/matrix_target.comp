// RUN: coopc --target-env=vulkan1.0 %s
// RUN: coopc --target-env=vulkan1.1 %s
#version 450
// A matrix that is never loaded or stored needs the Vulkan memory model too, and therefore SPIR-V 1.3.
#extension GL_KHR_cooperative_matrix : require
layout(local_size_x = 32) in;
void main() {
  coopmat<float, gl_ScopeSubgroup, 8, 8, gl_MatrixUseA> a = coopmat<float, gl_ScopeSubgroup, 8, 8, gl_MatrixUseA>(1.0);
  a = a + a;
}
