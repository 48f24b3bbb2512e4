#version 460
// A matrix stored to memory whose numbers hold several components, or only parts of one: by rows, by columns, or as a part of a
// tensor whose lines may begin anywhere. Macros: SCOPE, WORKGROUP, ROWS, COLUMNS, COMPONENT, NUMBER (the memory's type), SHARED
// (0 or 1), NUMBERS (total), FIRST (of a part, in numbers), PER_PART, STRIDE (in numbers; of a tensor, in components), WAY.
#extension GL_KHR_cooperative_matrix : require
#extension GL_NV_cooperative_matrix2 : require
#extension GL_KHR_memory_scope_semantics : require
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
#extension GL_EXT_shader_16bit_storage : require
#extension GL_EXT_shader_8bit_storage : require
#extension GL_EXT_float_e4m3 : enable
#extension GL_EXT_bfloat16 : enable

layout(local_size_x = WORKGROUP) in;

layout(set = 0, binding = 0, std430) readonly buffer Given { COMPONENT given[]; };
layout(set = 0, binding = 1, std430) buffer Result { NUMBER result[]; };
#if SHARED
shared NUMBER memory[NUMBERS];
#else
#define memory result
#endif

#ifndef PART
#define PART (SCOPE == gl_ScopeSubgroup ? gl_SubgroupID : 0u)
#endif

void main() {
#if SHARED
  for (uint n = gl_LocalInvocationIndex; n < NUMBERS; n += WORKGROUP) memory[n] = result[n];
  barrier();
#endif
  coopmat<COMPONENT, SCOPE, ROWS, COLUMNS, gl_MatrixUseA> m;
  coopMatLoad(m, given, PART * ROWS * COLUMNS, COLUMNS, gl_CooperativeMatrixLayoutRowMajor);
  const uint first = FIRST + PART * PER_PART;
#if WAY == 0
  coopMatStore(m, memory, first, STRIDE, gl_CooperativeMatrixLayoutRowMajor);
#elif WAY == 1
  coopMatStore(m, memory, first, STRIDE, gl_CooperativeMatrixLayoutColumnMajor);
#else
  // Two rows of the matrix are outside the tensor.
  tensorLayoutNV<2, gl_CooperativeMatrixClampModeConstantNV> t =
      createTensorLayoutNV(2, gl_CooperativeMatrixClampModeConstantNV);
#if WAY == 2
  t = setTensorLayoutDimensionNV(t, ROWS + 1, COLUMNS + 3);
  t = setTensorLayoutStrideNV(t, STRIDE, 1);
  coopMatStoreTensorNV(m, memory, first, sliceTensorLayoutNV(t, 3, ROWS, 3, COLUMNS));
#else
  t = setTensorLayoutDimensionNV(t, COLUMNS + 3, ROWS + 1);
  t = setTensorLayoutStrideNV(t, STRIDE, 1);
  coopMatStoreTensorNV(m, memory, first, sliceTensorLayoutNV(t, 3, COLUMNS, 3, ROWS),
                       createTensorViewNV(2, false, 1, 0));
#endif
#endif
#if SHARED
  barrier();
  for (uint n = gl_LocalInvocationIndex; n < NUMBERS; n += WORKGROUP) result[n] = memory[n];
#endif
}
