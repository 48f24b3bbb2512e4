// Loads an 8 x 8 patch of an image with 32 channels per pixel as a 64 x 32 matrix: one row per pixel, one column per channel.
// The image lies in memory as rows, columns, channels.
#version 460

#extension GL_KHR_cooperative_matrix : require
#extension GL_NV_cooperative_matrix2 : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
#extension GL_EXT_shader_16bit_storage : require
#extension GL_KHR_memory_scope_semantics : require

const uint kSide = 8;
const uint kChannels = 32;

layout(local_size_x = 128) in;

layout(set = 0, binding = 0, std430) readonly buffer Input { float16_t x[]; } image;
layout(set = 0, binding = 1, std430) buffer Output { float16_t x[]; } result;

layout(push_constant) uniform Parameters {
  uint rows;
  uint columns;
  uint row;
  uint column;
};

void main() {
  tensorLayoutNV<3> t = createTensorLayoutNV(3);
  t = setTensorLayoutDimensionNV(t, rows, columns, kChannels);
  t = sliceTensorLayoutNV(t, row, kSide, column, kSide, 0, kChannels);

  coopmat<float16_t, gl_ScopeWorkgroup, (kSide * kSide), kChannels, gl_MatrixUseA> pixels;
  coopMatLoadTensorNV(pixels, image.x, 0, t);

  tensorLayoutNV<2> dense = setTensorLayoutDimensionNV(createTensorLayoutNV(2), kSide * kSide, kChannels);
  coopMatStoreTensorNV(pixels, result.x, 0, dense);
}
