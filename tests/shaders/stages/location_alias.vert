// RUN: coopc --target-env=vulkan1.3 %s
#version 450
layout(location = 0) in vec2 a;
layout(location = 0, component = 2) in ivec2 b;
layout(location = 1) in dvec3 c;
layout(location = 2, component = 2) in double d;
void main() {}
