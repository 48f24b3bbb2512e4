// VALIDATE: newest the linked SPIRV-Tools does not know SPV_EXT_ocp_microscaling_types
// CHECK-SPIRV
// Matrices of microscaling formats, which a shader names by their numbers and answers for (decision 42). Values come from an
// instruction by number, constants or bits.
#version 450
#extension GL_KHR_memory_scope_semantics : require
#extension GL_KHR_cooperative_matrix : require
#extension GL_EXT_spirv_intrinsics : require
layout(local_size_x = 32) in;
layout(set = 0, binding = 0) buffer B { float x[]; };
#define OCP(capability, width, encoding) \
  spirv_type(extensions = ["SPV_EXT_ocp_microscaling_types"], capabilities = [capability], id = 22, width, encoding)
#define e2m3_t OCP(4228, 6, 4223)
#define e3m2_t OCP(4228, 6, 4224)
#define e2m1_t OCP(4229, 4, 4225)
#define e8m0_t OCP(4230, 8, 4226)
#define mxint8_t OCP(4231, 8, 4227)
spirv_instruction(extensions = ["SPV_EXT_ocp_microscaling_types"], capabilities = [4232], id = 4195)
e2m1_t extract(uint bits, uint offset);
void main() {
  coopmat<e2m1_t, gl_ScopeSubgroup, 16, 16, gl_MatrixUseA> a =
      coopmat<e2m1_t, gl_ScopeSubgroup, 16, 16, gl_MatrixUseA>(extract(floatBitsToUint(x[0]), 4u));
  coopmat<e2m3_t, gl_ScopeSubgroup, 16, 16, gl_MatrixUseB> b =
      coopmat<e2m3_t, gl_ScopeSubgroup, 16, 16, gl_MatrixUseB>(1.5);
  coopmat<float, gl_ScopeSubgroup, 16, 16, gl_MatrixUseAccumulator> c =
      coopmat<float, gl_ScopeSubgroup, 16, 16, gl_MatrixUseAccumulator>(0.0);
  coopmat<e3m2_t, gl_ScopeSubgroup, 16, 16, gl_MatrixUseA> d;
  coopmat<e8m0_t, gl_ScopeSubgroup, 16, 16, gl_MatrixUseA> e;
  coopmat<mxint8_t, gl_ScopeSubgroup, 16, 16, gl_MatrixUseA> f;
  c = coopMatMulAdd(a, b, c);
  c = coopMatMulAdd(d, b, c);
  coopMatStore(c, x, 0, 16, gl_CooperativeMatrixLayoutRowMajor);
}
