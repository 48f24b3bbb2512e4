// An extension that only glslang supports: compiled there, with a note.
// RUN: coopc --target-env=vulkan1.3 %s
// RUN: coopc --target-env=vulkan1.3 -w -O %s
// RUN: coopc --target-env=vulkan1.3 -fno-glslang %s
#version 460
#extension GL_AMD_gpu_shader_half_float_fetch : require
layout(triangles) in;
layout(triangle_strip, max_vertices = 3) out;
void main() { gl_Layer = 1; }
