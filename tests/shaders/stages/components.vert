// RUN: coopc --target-env=vulkan1.3 %s
#version 450
layout(component = 1) in float a;
layout(location = 1, component = 1) in mat2 b;
layout(location = 4, component = 2) in vec3 c;
layout(location = 5, component = 1) in double d;
layout(location = 6, component = 4) in float e;
void main() {}
