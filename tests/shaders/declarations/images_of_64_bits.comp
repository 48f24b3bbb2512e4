// CHECK-SPIRV
// Formats of 64 bits fit only images of the same signedness.
#version 460
#extension GL_EXT_shader_image_int64 : require
#extension GL_ARB_gpu_shader_int64 : require
layout(local_size_x = 1) in;
layout(set = 0, binding = 0, r64i) uniform i64image2D s;
layout(set = 0, binding = 1, r64ui) uniform u64image2D u;
void main() {
  imageAtomicAdd(s, ivec2(0), 1l);
  imageAtomicAdd(u, ivec2(0), 1ul);
}
