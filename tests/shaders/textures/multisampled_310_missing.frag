#version 310 es
// Without the extension they are reserved.
// RUN: coopc --target-env=vulkan1.3 %s
precision highp float;
layout(binding = 0) uniform highp sampler2DMSArray s;
layout(location = 0) out vec4 color;
void main() { color = texelFetch(s, ivec3(0), 1); }
