// The functions need the extension.
// RUN: coopc --target-env=vulkan1.3 %s
#version 450
layout(binding = 0) uniform sampler2DMS s;
layout(location = 0) out vec4 color;
void main() { color = fragmentFetchAMD(s, ivec2(0), 0u); }
