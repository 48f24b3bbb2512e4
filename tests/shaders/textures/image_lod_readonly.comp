// A readonly image is written.
// RUN: coopc --target-env=vulkan1.3 %s
#version 450
#extension GL_AMD_shader_image_load_store_lod : require
layout(local_size_x = 1) in;
layout(binding = 0, rgba32f) readonly uniform image2D flats;
void main() { imageStoreLodAMD(flats, ivec2(0), 1, vec4(0)); }
