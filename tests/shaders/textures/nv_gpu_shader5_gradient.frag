// GL_NV_gpu_shader5, 8.7: offsets stay constant in functions with gradients.
// RUN: coopc --target-env=vulkan1.4 %s
#version 450
#extension GL_NV_gpu_shader5 : require
layout(binding = 0) uniform sampler2D image;
layout(location = 0) in vec2 at;
layout(location = 1) flat in ivec2 by;
layout(location = 0) out vec4 color;
void main() { color = textureGradOffset(image, at, at, at, by) + textureProjGradOffset(image, at.xyx, at, at, by); }
