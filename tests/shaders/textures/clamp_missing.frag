// The functions need their extension.
// RUN: coopc --target-env=vulkan1.3 %s
#version 450
layout(binding = 0) uniform sampler2D s;
layout(location = 0) out vec4 color;
void main() { color = textureClampARB(s, vec2(0.5), 1.0); }
