// The macro of the stage.
// RUN: coopc --target-env=vulkan1.3 %s
// CHECK-SPIRV
#version 450
#if defined(GL_FRAGMENT_SHADER) && !defined(GL_COMPUTE_SHADER) && !defined(GL_VERTEX_SHADER)
void main() {}
#endif
