// CHECK-SPIRV
// A spirv_type that names a scalar type of GLSL is a component type; a storage class by number for a block.
#version 450
#pragma use_vulkan_memory_model
#extension GL_KHR_memory_scope_semantics : enable
#extension GL_KHR_cooperative_matrix : enable
#extension GL_EXT_spirv_intrinsics : enable
layout(local_size_x = 32) in;
layout(set = 0, binding = 0, std430) buffer Buf { uvec4 x[]; } buf;
layout(set = 0, binding = 1, std430) spirv_storage_class(12) Other { float y[]; } other;
#define half spirv_type(capabilities = [9], id = 22, 16)
coopmat<half, gl_ScopeSubgroup, 16, 16, gl_MatrixUseA> A;
void main() {
  coopMatLoad(A, buf.x, 0, 2, 0);
  other.y[1] = 2.0;
  coopMatStore(A, buf.x, 64, 4, 0);
}
