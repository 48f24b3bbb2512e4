// A bias needs the extension.
// RUN: coopc --target-env=vulkan1.3 %s
#version 450
layout(binding = 0) uniform sampler2D s;
layout(location = 0) out vec4 color;
void main() { color = textureGather(s, vec2(0.5), 0, 0.5); }
