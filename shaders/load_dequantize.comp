// Loads the M x N part at (row, column) of a quantized matrix and decodes it during the load.
//
// The matrix is stored in blocks of 1 x 32 four-bit values with one scale: a float16_t, then 16 bytes, where the low half of a
// byte is the value with the even column. A value is scale * (q - 8). With the layout's block size, its strides count blocks,
// and the decode function gets a pointer to the block and the position of the element inside it.
#version 460

#extension GL_KHR_cooperative_matrix : require
#extension GL_NV_cooperative_matrix2 : require
#extension GL_EXT_buffer_reference : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
#extension GL_EXT_shader_8bit_storage : require
#extension GL_EXT_shader_16bit_storage : require
#extension GL_KHR_memory_scope_semantics : require

const uint kBlock = 32;

layout(constant_id = 0) const uint M = 64;
layout(constant_id = 1) const uint N = 64;
layout(local_size_x_id = 2, local_size_y = 1, local_size_z = 1) in;

struct Block {
  float16_t scale;
  uint8_t values[kBlock / 2];
};

layout(buffer_reference, std430, buffer_reference_align = 2) readonly buffer BlockPointer { Block block; };

layout(set = 0, binding = 0, std430) readonly buffer Input { Block x[]; } source;
layout(set = 0, binding = 1, std430) buffer Output { float16_t x[]; } result;

layout(push_constant) uniform Parameters {
  uint rows;
  uint columns;
  uint row;
  uint column;
};

float16_t decode(const in BlockPointer pointer, const in uint32_t blockCoord[2], const in uint32_t coordInBlock[2]) {
  const uint element = coordInBlock[1];
  const uint byte = uint(pointer.block.values[element / 2]);
  const uint quantized = element % 2 == 0 ? byte & 15 : byte >> 4;
  return pointer.block.scale * float16_t(int(quantized) - 8);
}

void main() {
  tensorLayoutNV<2> t = createTensorLayoutNV(2);
  // The block size comes first: setting the dimensions computes the strides from it.
  t = setTensorLayoutBlockSizeNV(t, 1, kBlock);
  t = setTensorLayoutDimensionNV(t, rows, columns);
  t = sliceTensorLayoutNV(t, row, M, column, N);

  coopmat<float16_t, gl_ScopeWorkgroup, M, N, gl_MatrixUseA> mat;
  coopMatLoadTensorNV(mat, source.x, 0, t, decode);

  tensorLayoutNV<2> dense = setTensorLayoutDimensionNV(createTensorLayoutNV(2), M, N);
  coopMatStoreTensorNV(mat, result.x, 0, dense);
}
