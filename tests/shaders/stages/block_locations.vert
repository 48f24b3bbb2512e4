// RUN: coopc --target-env=vulkan1.3 %s
#version 450
out A { layout(location = 0) vec4 a; vec4 b; };
void main() {}
