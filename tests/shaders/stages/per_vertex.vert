// The block gl_PerVertex redeclared, with invariance.
// RUN: coopc --target-env=vulkan1.3 %s
// CHECK-SPIRV
#version 450
out gl_PerVertex {
  invariant vec4 gl_Position;
  float gl_ClipDistance[3];
  float gl_CullDistance[1];
};
layout(location = 0) in vec4 position;
void main() {
  gl_Position = position;
  for (int i = 0; i < 3; ++i) gl_ClipDistance[i] = position[i];
  gl_CullDistance[0] = 1.0;
}
