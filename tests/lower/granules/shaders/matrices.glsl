// Definitions for all shaders of this folder. Macros: SCOPE, WORKGROUP (invocations), ROWS, COLUMNS, DEPTH.
#extension GL_KHR_cooperative_matrix : require
#extension GL_NV_cooperative_matrix2 : require
#extension GL_KHR_memory_scope_semantics : require
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
#extension GL_EXT_shader_16bit_storage : require
#extension GL_EXT_shader_8bit_storage : require
#extension GL_EXT_control_flow_attributes : require

layout(local_size_x = WORKGROUP) in;

layout(set = 0, binding = 0, std430) readonly buffer BufferA { float16_t a[]; };
layout(set = 0, binding = 1, std430) readonly buffer BufferB { float16_t b[]; };
layout(set = 0, binding = 2, std430) readonly buffer BufferC { float c[]; };
layout(set = 0, binding = 3, std430) buffer BufferD { float d[]; };

// Matrices of subgroup scope: each subgroup has its own part of the buffers.
#ifndef PART
#define PART (SCOPE == gl_ScopeSubgroup ? gl_SubgroupID : 0u)
#endif
const int kByRows = gl_CooperativeMatrixLayoutRowMajor;
const int kByColumns = gl_CooperativeMatrixLayoutColumnMajor;

#define MATRIX_A(rows, columns) coopmat<float16_t, SCOPE, rows, columns, gl_MatrixUseA>
#define MATRIX_B(rows, columns) coopmat<float16_t, SCOPE, rows, columns, gl_MatrixUseB>
#define SUM(rows, columns) coopmat<float, SCOPE, rows, columns, gl_MatrixUseAccumulator>
