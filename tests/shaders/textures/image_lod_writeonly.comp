// A writeonly image is read.
// RUN: coopc --target-env=vulkan1.3 %s
#version 450
#extension GL_AMD_shader_image_load_store_lod : require
layout(local_size_x = 1) in;
layout(binding = 0, rgba32f) writeonly uniform image2D flats;
void main() { imageStore(flats, ivec2(0), imageLoadLodAMD(flats, ivec2(0), 1)); }
