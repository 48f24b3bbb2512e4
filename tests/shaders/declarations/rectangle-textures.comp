#version 450
// Vulkan has no rectangle textures.
layout(local_size_x = 1) in;
layout(set = 0, binding = 0) uniform sampler2DRect s;
void main() {}
