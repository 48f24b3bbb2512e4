// RUN: coopc --target-env=vulkan1.3 %s
#version 450
layout(location = 0) in vec4 a;
in vec4 b;
layout(location = 2) in mat4 c;
layout(location = 5) in float d;
layout(location = 65535) out vec4 e[3];
out float f;
void main() {}
