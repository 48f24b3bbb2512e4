// RUN: coopc --target-env=vulkan1.3 %s
#version 450
layout(location = 0, index = 2) out vec4 a;
layout(index = 1) out vec4 b;
void main() {}
