// Without spacing and order: equal, counter-clockwise (4.4.1.1).
// RUN: coopc --target-env=vulkan1.3 %s
// CHECK-SPIRV
#version 450
layout(isolines) in;
void main() { gl_Position = vec4(gl_TessCoord, 1.0); }
