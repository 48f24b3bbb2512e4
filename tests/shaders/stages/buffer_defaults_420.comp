// RUN: coopc --target-env=vulkan1.3 %s
// CHECK-SPIRV
// GLSL 4.60, 4.4.5: defaults of all storage blocks, in a version that has them by an extension.
#version 420
#extension GL_ARB_compute_shader : enable
#extension GL_ARB_shader_storage_buffer_object : enable
layout(std430, column_major) buffer;
layout(local_size_x = 1) in;
layout(binding = 0) buffer B { float x[]; } b;
void main() { b.x[0] = 1.0; }
