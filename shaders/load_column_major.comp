// Loads the M x N part at (row, column) of a column-major matrix, and stores it densely in row-major order.
//
// In memory the columns are the outer dimension, so the layout's dimensions are (columns, rows). A view that swaps the two
// dimensions turns its coordinates back to (row, column).
#version 460

#extension GL_KHR_cooperative_matrix : require
#extension GL_NV_cooperative_matrix2 : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
#extension GL_EXT_shader_16bit_storage : require
#extension GL_KHR_memory_scope_semantics : require

layout(constant_id = 0) const uint M = 64;
layout(constant_id = 1) const uint N = 32;
layout(local_size_x_id = 2, local_size_y = 1, local_size_z = 1) in;

layout(set = 0, binding = 0, std430) readonly buffer Input { float16_t x[]; } source;
layout(set = 0, binding = 1, std430) buffer Output { float16_t x[]; } result;

layout(push_constant) uniform Parameters {
  uint rows;
  uint columns;
  uint row;
  uint column;
};

void main() {
  tensorLayoutNV<2> t = createTensorLayoutNV(2);
  t = setTensorLayoutDimensionNV(t, columns, rows);
  t = sliceTensorLayoutNV(t, column, N, row, M);
  tensorViewNV<2, false, 1, 0> exchanged = createTensorViewNV(2, false, 1, 0);

  coopmat<float16_t, gl_ScopeWorkgroup, M, N, gl_MatrixUseB> mat;
  coopMatLoadTensorNV(mat, source.x, 0, t, exchanged);

  tensorLayoutNV<2> dense = setTensorLayoutDimensionNV(createTensorLayoutNV(2), M, N);
  coopMatStoreTensorNV(mat, result.x, 0, dense);
}
