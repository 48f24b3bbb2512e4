// The name of a function of GLSL 1.20 that is a type in GLSL for Vulkan.
// RUN: coopc %s
#version 450
layout(binding = 0) uniform sampler2D image;
layout(location = 0) in vec2 uv;
layout(location = 0) out vec4 color;
void main() { color = texture2D(image, uv); }
