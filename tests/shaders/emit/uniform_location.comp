// CHECK-SPIRV
#version 450
// Locations of uniform variables belong to OpenGL: they are ignored.
layout(local_size_x = 1) in;
layout(location = 2, set = 0, binding = 0, rgba8ui) uniform uimage2D image;
layout(location = 3, set = 0, binding = 1) uniform sampler2D map;
void main() { imageStore(image, ivec2(0), uvec4(texelFetch(map, ivec2(0), 0))); }
