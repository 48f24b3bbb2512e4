// Images are read and written at a level of detail.
// RUN: coopc --target-env=vulkan1.3 %s
// CHECK-SPIRV
#version 450
#extension GL_ARB_sparse_texture2 : require
#extension GL_AMD_shader_image_load_store_lod : require
layout(local_size_x = 1) in;
layout(binding = 0, rgba32f) uniform image2D flats;
layout(binding = 1, rgba32i) uniform iimageCubeArray cubes;
layout(binding = 2, rgba32ui) coherent uniform uimage1D rows;
void main() {
  vec4 texel;
  int code = sparseImageLoadLodAMD(flats, ivec2(1), 2, texel);
  imageStoreLodAMD(flats, ivec2(3), 1, imageLoadLodAMD(flats, ivec2(2), 3) + texel);
  imageStoreLodAMD(cubes, ivec3(4), code, imageLoadLodAMD(cubes, ivec3(5), 0));
  imageStoreLodAMD(rows, 6, 1, imageLoadLodAMD(rows, 7, 2));
}
