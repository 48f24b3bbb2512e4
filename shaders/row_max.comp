// The maximum of each row of a matrix, written to every element of the row. Each workgroup reduces ROWS rows. COLUMNS is the
// full width of the matrix, so that one reduction covers a row.
#version 460

#extension GL_KHR_cooperative_matrix : require
#extension GL_NV_cooperative_matrix2 : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
#extension GL_EXT_shader_16bit_storage : require
#extension GL_KHR_memory_scope_semantics : require

layout(constant_id = 0) const uint ROWS = 64;
layout(constant_id = 1) const uint COLUMNS = 64;
layout(local_size_x_id = 2, local_size_y = 1, local_size_z = 1) in;

layout(set = 0, binding = 0, std430) readonly buffer Input { float16_t x[]; } source;
layout(set = 0, binding = 1, std430) buffer Output { float16_t x[]; } result;

layout(push_constant) uniform Parameters { uint rows; };

// The arguments are elements or results of earlier calls, in any order.
float16_t larger(const in float16_t x, const in float16_t y) { return max(x, y); }

void main() {
  tensorLayoutNV<2> t = createTensorLayoutNV(2);
  t = setTensorLayoutDimensionNV(t, rows, COLUMNS);
  t = sliceTensorLayoutNV(t, ROWS * gl_WorkGroupID.x, ROWS, 0, COLUMNS);

  coopmat<float16_t, gl_ScopeWorkgroup, ROWS, COLUMNS, gl_MatrixUseAccumulator> values;
  coopmat<float16_t, gl_ScopeWorkgroup, ROWS, COLUMNS, gl_MatrixUseAccumulator> rowMax;
  coopMatLoadTensorNV(values, source.x, 0, t);
  coopMatReduceNV(rowMax, values, gl_CooperativeMatrixReduceRowNV, larger);
  coopMatStoreTensorNV(rowMax, result.x, 0, t);
}
