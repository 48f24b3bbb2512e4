#version 420
#extension GL_ARB_compute_shader : enable
layout(local_size_x = 1) in;
layout(binding = 0, r32f) uniform image2D image;
void main() { imageStore(image, ivec2(0), vec4(1)); }
