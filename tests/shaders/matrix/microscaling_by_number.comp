// Operations that matrices of microscaling formats lack even if named by number: arithmetic, conversions at run time.
#version 450
#extension GL_KHR_memory_scope_semantics : require
#extension GL_KHR_cooperative_matrix : require
#extension GL_EXT_spirv_intrinsics : require
layout(local_size_x = 32) in;
layout(set = 0, binding = 0) buffer B { float x[]; };
#define e2m1_t spirv_type(extensions = ["SPV_EXT_ocp_microscaling_types"], capabilities = [4229], id = 22, 4, 4225)
#define MATRIX(T) coopmat<T, gl_ScopeSubgroup, 16, 16, gl_MatrixUseA>
void main() {
  MATRIX(e2m1_t) a = MATRIX(e2m1_t)(x[0]);
  MATRIX(float) b = MATRIX(float)(x[0]);
  a = MATRIX(e2m1_t)(b);
  b = MATRIX(float)(a);
  a = a + a;
}
