// The alignment that memory operands promise: for matrices that of the element given, for vectors 16, because offsets are
// multiples of 16 whatever the alignment of the reference is.
// RUN: coopc --target-env=vulkan1.3 %s
// CHECK-SPIRV
#version 460
#extension GL_KHR_cooperative_matrix : require
#extension GL_NV_cooperative_matrix2 : require
#extension GL_KHR_memory_scope_semantics : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
#extension GL_EXT_buffer_reference : require
#extension GL_NV_cooperative_vector : require
layout(local_size_x = 32) in;
layout(buffer_reference, buffer_reference_align = 64) buffer Block { float16_t x[]; };
layout(push_constant) uniform Push { Block b; uint at; } push;

void main() {
  coopmat<float16_t, gl_ScopeSubgroup, 16, 16, gl_MatrixUseA> m;
  coopMatLoad(m, push.b.x, 0, 16, gl_CooperativeMatrixLayoutRowMajor);
  coopMatLoad(m, push.b.x, 16, 16, gl_CooperativeMatrixLayoutRowMajor);
  coopMatLoad(m, push.b.x, 3 * push.at, 16, gl_CooperativeMatrixLayoutRowMajor);
  coopvecNV<float16_t, 16> v;
  coopVecLoadNV(v, push.b.x, push.at);
  coopVecStoreNV(v, push.b.x, 128);
}
