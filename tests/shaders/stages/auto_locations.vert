// RUN: coopc --target-env=vulkan1.3 -fauto-map-locations %s
// CHECK-SPIRV
#version 450
in vec4 a;
layout(location = 1) in mat2 b;
in vec2 c[2];
out vec4 d;
out Block { vec4 e; vec4 f; } block;
out float g;
void main() { d = a + b[0].xyxy + c[0].xyxy; block.e = a; g = 1.0; }
