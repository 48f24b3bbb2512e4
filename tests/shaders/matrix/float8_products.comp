// Products of 8-bit floats: loaded by rows, by columns and through tensors, moved through variables and functions, in workgroup and shared memory.
#version 460
#extension GL_KHR_cooperative_matrix : require
#extension GL_KHR_memory_scope_semantics : require
#extension GL_NV_cooperative_matrix2 : require
#extension GL_EXT_float_e4m3 : require
#extension GL_EXT_float_e5m2 : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
#extension GL_EXT_buffer_reference : require
layout(local_size_x = 32) in;
#define A coopmat<floate4m3_t, gl_ScopeSubgroup, 16, 16, gl_MatrixUseA>
#define B coopmat<floate5m2_t, gl_ScopeSubgroup, 16, 16, gl_MatrixUseB>
#define C coopmat<float, gl_ScopeSubgroup, 16, 16, gl_MatrixUseAccumulator>
layout(set = 0, binding = 0) readonly buffer In { floate4m3_t a[]; };
layout(set = 0, binding = 1) readonly buffer In2 { floate5m2_t b[]; };
layout(set = 0, binding = 2) buffer Out { float c[]; };
layout(buffer_reference, std430, buffer_reference_align = 1) buffer Block { uint8_t v[16]; };
shared floate4m3_t s[256];
floate4m3_t decode(const in Block block, const in uint at[2], const in uint in_block[2]) {
  return floate4m3_t(float(block.v[in_block[1]]));
}
C product(A x, B y, C z) { return coopMatMulAdd(x, y, z); }
void main() {
  C sum = C(0);
  A x;
  B y;
  coopMatLoad(x, a, 0, 16, gl_CooperativeMatrixLayoutRowMajor);
  coopMatLoad(y, b, 0, 16, gl_CooperativeMatrixLayoutColumnMajor);
  sum = product(x, y, sum);
  for (uint k = 1; k < 4; ++k) {
    A next = x;
    coopMatLoad(x, a, k * 256, 16, gl_CooperativeMatrixLayoutColumnMajor);
    coopMatLoad(y, b, k * 256, 16, gl_CooperativeMatrixLayoutRowMajor);
    sum = coopMatMulAdd(k == 2 ? next : x, y, sum);
  }
  tensorLayoutNV<2, gl_CooperativeMatrixClampModeConstantNV> l = createTensorLayoutNV(2, gl_CooperativeMatrixClampModeConstantNV);
  l = setTensorLayoutDimensionNV(l, 40, 40);
  coopMatLoadTensorNV(x, a, 0, sliceTensorLayoutNV(l, 30, 16, 30, 16));
  sum = coopMatMulAdd(x, y, sum);
#ifdef DECODE
  l = setTensorLayoutBlockSizeNV(l, 1, 16);
  coopMatLoadTensorNV(x, a, 0, sliceTensorLayoutNV(l, 0, 16, 16, 16), decode);
  sum = coopMatMulAdd(x, y, sum);
#endif
  s[gl_LocalInvocationIndex] = a[gl_LocalInvocationIndex];
  barrier();
  coopMatLoad(x, s, 0, 16, gl_CooperativeMatrixLayoutRowMajor);
  sum = coopMatMulAdd(x, y, sum);
  coopMatStore(sum, c, 0, 16, gl_CooperativeMatrixLayoutRowMajor);
}
