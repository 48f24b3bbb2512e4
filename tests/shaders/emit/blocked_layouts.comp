// Loads and stores in the layouts of GL_ARM_cooperative_matrix_layouts declare the extension and capability of these, ordinary ones do
// not. A layout that a specialization constant chooses may be of either kind.
// CHECK-SPIRV
// RUN: coopc --target-env=vulkan1.3 -DSPECIALIZED %s
// RUN: coopc --target-env=vulkan1.3 %s
// RUN: coopc --target-env=vulkan1.3 -DORDINARY %s
#version 460
#extension GL_KHR_cooperative_matrix : require
#extension GL_ARM_cooperative_matrix_layouts : require
#extension GL_KHR_memory_scope_semantics : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
layout(local_size_x = 32) in;
layout(set = 0, binding = 0) buffer Data { float16_t x[]; } data;
#ifdef SPECIALIZED
layout(constant_id = 0) const int from = 4202;
const int to = from, stride = 2;
#elif defined ORDINARY
const int from = gl_CooperativeMatrixLayoutRowMajor, to = gl_CooperativeMatrixLayoutColumnMajor, stride = 16;
#else
const int from = gl_CooperativeMatrixLayoutRowBlockedInterleavedARM, to = gl_CooperativeMatrixLayoutColumnBlockedInterleavedARM, stride = 2;
#endif
void main() {
  coopmat<float16_t, gl_ScopeSubgroup, 16, 16, gl_MatrixUseA> a;
  coopMatLoad(a, data.x, 0, stride, from);
  coopMatStore(a, data.x, 256, stride, to);
}
