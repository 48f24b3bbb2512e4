// GLSL has compute shaders from 4.30 on, and from 4.20 on with an extension.
// RUN: coopc --target-env=vulkan1.3 %s
// RUN: coopc --target-env=vulkan1.3 -fshader-stage=compute preprocess/include/compute_extension_420.glsl
// RUN: coopc --target-env=vulkan1.3 -fshader-stage=compute preprocess/include/compute_extension_off_420.glsl
// RUN: coopc --target-env=vulkan1.3 -fshader-stage=compute -std=420 preprocess/include/no_version.glsl
#version 420
layout(local_size_x = 1) in;
void main() {}
