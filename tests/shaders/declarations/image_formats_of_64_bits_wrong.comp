#version 460
#extension GL_EXT_shader_image_int64 : require
layout(local_size_x = 1) in;
layout(set = 0, binding = 0, r64ui) uniform i64image2D s;
layout(set = 0, binding = 1, r64i) uniform u64image2D u;
layout(set = 0, binding = 2, r32i) uniform i64image2D narrow;
layout(set = 0, binding = 3, r64i) uniform iimage2D wide;
void main() {}
