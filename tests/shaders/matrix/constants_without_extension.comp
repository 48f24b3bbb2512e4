// Constants of the matrix extension in a text that does not enable it, as programs for devices without
// matrices have them (decision 77).
// RUN: coopc --target-env=vulkan1.3 %s
// RUN: coopc --target-env=vulkan1.3 -Wall %s
// RUN: coopc --target-env=vulkan1.3 -fstrict %s
#version 450
layout(local_size_x = 1) in;
layout(binding = 0) buffer B { int column; int use; };
void main() {
  column = gl_CooperativeMatrixLayoutColumnMajor;
  use = gl_MatrixUseAccumulator;
}
