// A text that disables the matrix extension does not have its constants (decision 77).
// RUN: coopc --target-env=vulkan1.3 %s
#version 450
#extension GL_KHR_cooperative_matrix : disable
layout(local_size_x = 1) in;
layout(binding = 0) buffer B { int use; };
int a() { return gl_MatrixUseA; }
#extension GL_KHR_cooperative_matrix : enable
int b() { return gl_MatrixUseA; }
#extension all : disable
int c() { return gl_MatrixUseA; }
void main() { use = a() + b() + c(); }
