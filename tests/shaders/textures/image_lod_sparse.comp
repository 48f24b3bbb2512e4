// "If the shader enables ARB_sparse_texture2, this extension adds additional image load functions."
// RUN: coopc --target-env=vulkan1.3 %s
#version 450
#extension GL_AMD_shader_image_load_store_lod : require
layout(local_size_x = 1) in;
layout(binding = 0, rgba32f) uniform image2D flats;
void main() {
  vec4 texel;
  int code = sparseImageLoadLodAMD(flats, ivec2(1), 2, texel);
  imageStoreLodAMD(flats, ivec2(code), 1, texel);
}
