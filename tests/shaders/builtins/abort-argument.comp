// AbortArgument, PrintfFormat: arguments that abortEXT does not take.
// RUN: coopc --target-env=vulkan1.3 %s
#version 460
#extension GL_EXT_abort : require
#extension GL_KHR_cooperative_matrix : require
#extension GL_KHR_memory_scope_semantics : require
#extension GL_EXT_float_e2m1 : require
layout(local_size_x = 32) in;
layout(binding = 0) uniform sampler2D image;
void nothing() {}
int never() { abortEXT("x"); }
void main() {
  coopmat<float, gl_ScopeSubgroup, 16, 16, gl_MatrixUseAccumulator> m;
  abortEXT(1);
  abortEXT("m", m);
  abortEXT("i", image);
  abortEXT("n", nothing());
  abortEXT("s", "text");
  abortEXT("e", floate2m1_t(1.0));
}
