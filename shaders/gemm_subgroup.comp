// D = alpha * A * B + beta * C with the matrices of GL_KHR_cooperative_matrix: each subgroup (one per workgroup here) computes
// one TILE_M x TILE_N tile of D. All matrices are row-major, and their sizes are multiples of the tile.
//
// Macros: TILE_M, TILE_N, TILE_K   a shape that the device lists
//         AB_TYPE, C_TYPE          component types of the operands, and of the accumulator and result
#version 460

#extension GL_KHR_cooperative_matrix : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
#extension GL_EXT_shader_16bit_storage : require
#extension GL_EXT_shader_8bit_storage : require
#extension GL_KHR_memory_scope_semantics : require

#ifndef TILE_M
#define TILE_M 16
#endif
#ifndef TILE_N
#define TILE_N 16
#endif
#ifndef TILE_K
#define TILE_K 16
#endif
#ifndef AB_TYPE
#define AB_TYPE float16_t
#endif
#ifndef C_TYPE
#define C_TYPE float32_t
#endif

// The subgroup size, so that a workgroup is exactly one subgroup.
layout(local_size_x_id = 0, local_size_y = 1, local_size_z = 1) in;

layout(set = 0, binding = 0, std430) readonly buffer InputA { AB_TYPE x[]; } a;
layout(set = 0, binding = 1, std430) readonly buffer InputB { AB_TYPE x[]; } b;
layout(set = 0, binding = 2, std430) readonly buffer InputC { C_TYPE x[]; } c;
layout(set = 0, binding = 3, std430) buffer Output { C_TYPE x[]; } d;

layout(push_constant) uniform Parameters {
  uint m;
  uint n;
  uint k;
  float alpha;
  float beta;
};

void main() {
  const uint row = TILE_M * gl_WorkGroupID.y;
  const uint column = TILE_N * gl_WorkGroupID.x;

  coopmat<C_TYPE, gl_ScopeSubgroup, TILE_M, TILE_N, gl_MatrixUseAccumulator> sum =
      coopmat<C_TYPE, gl_ScopeSubgroup, TILE_M, TILE_N, gl_MatrixUseAccumulator>(C_TYPE(0));
  for (uint chunk = 0; chunk < k; chunk += TILE_K) {
    coopmat<AB_TYPE, gl_ScopeSubgroup, TILE_M, TILE_K, gl_MatrixUseA> partA;
    coopmat<AB_TYPE, gl_ScopeSubgroup, TILE_K, TILE_N, gl_MatrixUseB> partB;
    coopMatLoad(partA, a.x, row * k + chunk, k, gl_CooperativeMatrixLayoutRowMajor);
    coopMatLoad(partB, b.x, chunk * n + column, n, gl_CooperativeMatrixLayoutRowMajor);
    sum = coopMatMulAdd(partA, partB, sum);
  }

  coopmat<C_TYPE, gl_ScopeSubgroup, TILE_M, TILE_N, gl_MatrixUseAccumulator> addend;
  coopMatLoad(addend, c.x, row * n + column, n, gl_CooperativeMatrixLayoutRowMajor);
  sum = C_TYPE(alpha) * sum + C_TYPE(beta) * addend;
  coopMatStore(sum, d.x, row * n + column, n, gl_CooperativeMatrixLayoutRowMajor);
}
