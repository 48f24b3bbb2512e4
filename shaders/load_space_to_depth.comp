// Space to depth while loading: every 2 x 2 pixels of an H x W image with C channels become one row of 4 * C columns.
//
// The layout describes the image as it lies in memory (rows, columns, channels). The view splits rows and columns in pairs,
// H/2 x 2 x W/2 x 2 x C. Its permutation 0, 2, 1, 3, 4 makes that H/2 x W/2 x 2 x 2 x C: pairs first, then pixels in a pair.
#version 460

#extension GL_KHR_cooperative_matrix : require
#extension GL_NV_cooperative_matrix2 : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
#extension GL_EXT_shader_16bit_storage : require
#extension GL_KHR_memory_scope_semantics : require

layout(constant_id = 0) const uint H = 16;
layout(constant_id = 1) const uint W = 16;
layout(constant_id = 2) const uint C = 16;
layout(local_size_x_id = 3, local_size_y = 1, local_size_z = 1) in;

layout(set = 0, binding = 0, std430) readonly buffer Input { float16_t x[]; } image;
layout(set = 0, binding = 1, std430) buffer Output { float16_t x[]; } result;

void main() {
  tensorLayoutNV<3> t = createTensorLayoutNV(3);
  t = setTensorLayoutDimensionNV(t, H, W, C);

  tensorViewNV<5, true, 0, 2, 1, 3, 4> pairs = createTensorViewNV(5, true, 0, 2, 1, 3, 4);
  pairs = setTensorViewDimensionsNV(pairs, H / 2, 2, W / 2, 2, C);

  coopmat<float16_t, gl_ScopeWorkgroup, (H / 2 * W / 2), (4 * C), gl_MatrixUseAccumulator> mat;
  coopMatLoadTensorNV(mat, image.x, 0, t, pairs);

  tensorLayoutNV<2> dense = setTensorLayoutDimensionNV(createTensorLayoutNV(2), H / 2 * W / 2, 4 * C);
  coopMatStoreTensorNV(mat, result.x, 0, dense);
}
