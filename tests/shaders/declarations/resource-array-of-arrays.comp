// RUN: coopc %s
// RUN: coopc -fstrict %s
// VALIDATE: none the module is what the warning is about
#version 450
// The language has arrays of arrays of resources, Vulkan does not.
layout(local_size_x = 1) in;
layout(set = 0, binding = 0) buffer Data { uint x[]; } data[2][3];
layout(set = 0, binding = 1) uniform sampler2D images[2][2];
layout(set = 0, binding = 2) uniform sampler2D plain[4];
void main() { data[1][2].x[0] = uint(texelFetch(images[1][0], ivec2(0), 0).x + texelFetch(plain[3], ivec2(0), 0).x); }
