// Loads the M x N part at (row, column) of a row-major matrix, and stores it densely.
//
// A KHR load takes the address of the part's first element and the matrix's width. Here the layout has the matrix's
// dimensions and the slice selects the part, so that the implementation knows where the matrix ends.
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
  t = setTensorLayoutDimensionNV(t, rows, columns);
  t = sliceTensorLayoutNV(t, row, M, column, N);

  coopmat<float16_t, gl_ScopeWorkgroup, M, N, gl_MatrixUseA> mat;
  coopMatLoadTensorNV(mat, source.x, 0, t);

  tensorLayoutNV<2> dense = setTensorLayoutDimensionNV(createTensorLayoutNV(2), M, N);
  coopMatStoreTensorNV(mat, result.x, 0, dense);
}
