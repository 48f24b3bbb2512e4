// D = alpha * A * B + beta * C with the matrices of GL_KHR_cooperative_matrix and tiles in shared memory: the subgroups of a
// workgroup load a tile together, and each multiplies its part. With a split barrier (GL_EXT_split_barrier), no subgroup waits
// for the products of others: a subgroup arrives as soon as its matrices are loaded, multiplies, and waits only before the next
// tile overwrites this one. All matrices are row-major, and their sizes are multiples of the workgroup's tile.
//
// Macros: TILE_M, TILE_N, TILE_K   a shape that the device lists
//         ROWS, COLUMNS            subgroups per workgroup, whose tile of D is ROWS * TILE_M x COLUMNS * TILE_N
//         AB_TYPE, C_TYPE          component types of the operands, and of the accumulator and result
#version 460

#extension GL_KHR_cooperative_matrix : require
#extension GL_EXT_split_barrier : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
#extension GL_EXT_shader_16bit_storage : require
#extension GL_EXT_shader_8bit_storage : require
#extension GL_KHR_memory_scope_semantics : require
#extension GL_KHR_shader_subgroup_basic : require

#ifndef TILE_M
#define TILE_M 16
#endif
#ifndef TILE_N
#define TILE_N 16
#endif
#ifndef TILE_K
#define TILE_K 16
#endif
#ifndef ROWS
#define ROWS 2
#endif
#ifndef COLUMNS
#define COLUMNS 2
#endif
#ifndef AB_TYPE
#define AB_TYPE float16_t
#endif
#ifndef C_TYPE
#define C_TYPE float32_t
#endif

// The workgroup has ROWS * COLUMNS subgroups.
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

const uint kRows = ROWS * TILE_M, kColumns = COLUMNS * TILE_N;
shared AB_TYPE tileA[kRows * TILE_K];
shared AB_TYPE tileB[TILE_K * kColumns];

// Copies the tiles of A and B that begin at element `chunk` of K to shared memory, with all invocations of the workgroup.
void copyTiles(uint row, uint column, uint chunk) {
  for (uint i = gl_LocalInvocationIndex; i < kRows * TILE_K; i += gl_WorkGroupSize.x)
    tileA[i] = a.x[(row + i / TILE_K) * k + chunk + i % TILE_K];
  for (uint i = gl_LocalInvocationIndex; i < TILE_K * kColumns; i += gl_WorkGroupSize.x)
    tileB[i] = b.x[(chunk + i / kColumns) * n + column + i % kColumns];
}

void main() {
  const uint row = kRows * gl_WorkGroupID.y, column = kColumns * gl_WorkGroupID.x;
  const uint ownRow = gl_SubgroupID / COLUMNS * TILE_M, ownColumn = gl_SubgroupID % COLUMNS * TILE_N;

  coopmat<C_TYPE, gl_ScopeSubgroup, TILE_M, TILE_N, gl_MatrixUseAccumulator> sum =
      coopmat<C_TYPE, gl_ScopeSubgroup, TILE_M, TILE_N, gl_MatrixUseAccumulator>(C_TYPE(0));
  for (uint chunk = 0; chunk < k; chunk += TILE_K) {
    copyTiles(row, column, chunk);
    barrier();
    coopmat<AB_TYPE, gl_ScopeSubgroup, TILE_M, TILE_K, gl_MatrixUseA> partA;
    coopmat<AB_TYPE, gl_ScopeSubgroup, TILE_K, TILE_N, gl_MatrixUseB> partB;
    coopMatLoad(partA, tileA, ownRow * TILE_K, TILE_K, gl_CooperativeMatrixLayoutRowMajor);
    coopMatLoad(partB, tileB, ownColumn, kColumns, gl_CooperativeMatrixLayoutRowMajor);
    controlBarrierArrive();
    sum = coopMatMulAdd(partA, partB, sum);
    controlBarrierWait();
  }

  const uint first = (row + ownRow) * n + column + ownColumn;
  coopmat<C_TYPE, gl_ScopeSubgroup, TILE_M, TILE_N, gl_MatrixUseAccumulator> addend;
  coopMatLoad(addend, c.x, first, n, gl_CooperativeMatrixLayoutRowMajor);
  sum = C_TYPE(alpha) * sum + C_TYPE(beta) * addend;
  coopMatStore(sum, d.x, first, n, gl_CooperativeMatrixLayoutRowMajor);
}
