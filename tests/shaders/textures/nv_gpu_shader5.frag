// GL_NV_gpu_shader5: indices of samplers need not be uniform, and offsets need not be constant.
// RUN: coopc --target-env=vulkan1.4 -O -S -o - %s
#version 450
#extension GL_NV_gpu_shader5 : require
layout(binding = 0) uniform sampler2D images[4];
layout(location = 0) in vec2 at;
layout(location = 1) flat in ivec3 which;
layout(location = 0) out vec4 color;
void main() {
  color = texture(images[which.x], at) + textureOffset(images[0], at, which.yz) + texelFetchOffset(images[1], which.xy, 0, which.yz);
}
