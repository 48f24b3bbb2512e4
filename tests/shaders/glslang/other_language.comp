#version 310 es
// An extension that coopc has for GLSL but not for GLSL ES, and one that it has for GLSL ES only.
// RUN: coopc --target-env=vulkan1.3 %s
// RUN: coopc --target-env=vulkan1.3 -fno-glslang %s
// RUN: coopc --target-env=vulkan1.3 -fno-glslang -std=460 -DDESKTOP %s
#ifdef DESKTOP
#extension GL_OES_gpu_shader5 : require
#else
#extension GL_EXT_ray_query : require
#endif
layout(local_size_x = 8) in;
void main() {}
