#version 320 es
// ESSL does not have these names without an extension (decision 77).
// RUN: coopc --target-env=vulkan1.3 %s
layout(local_size_x = 1) in;
layout(binding = 0) buffer B { int use; };
void main() { use = gl_MatrixUseA; }
