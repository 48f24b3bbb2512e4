// CHECK-SPIRV
// A component type by number makes the module declare what its `spirv_type` requires.
#version 450
#extension GL_KHR_memory_scope_semantics : enable
#extension GL_KHR_cooperative_matrix : enable
#extension GL_EXT_spirv_intrinsics : enable
layout(local_size_x = 32) in;
#define half spirv_type(extensions = ["SPV_KHR_non_semantic_info", "SPV_KHR_8bit_storage"], capabilities = [9, 22], id = 22, 16)
void main() { coopmat<half, gl_ScopeSubgroup, 16, 16, gl_MatrixUseA> m; }
