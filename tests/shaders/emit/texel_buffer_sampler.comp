// RUN: coopc --target-env=vulkan1.0 %s
// RUN: coopc --target-env=vulkan1.3 %s
// CHECK-SPIRV
#version 450
// A texel buffer with a sampler stays an image.
layout(local_size_x = 1) in;
layout(set = 0, binding = 0) uniform textureBuffer texels;
layout(set = 0, binding = 1) uniform sampler s;
layout(set = 0, binding = 2) buffer Data { vec4 v; int n; } data;
void main() {
  data.v = texelFetch(samplerBuffer(texels, s), 13);
  data.n = textureSize(samplerBuffer(texels, s));
}
