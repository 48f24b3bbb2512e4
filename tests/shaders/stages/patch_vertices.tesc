// RUN: coopc --target-env=vulkan1.3 -DN=0 %s
// RUN: coopc --target-env=vulkan1.3 -DN=1 %s
// RUN: coopc --target-env=vulkan1.3 -DN=32 %s
// RUN: coopc --target-env=vulkan1.3 -DN=33 %s
#version 460
layout(vertices = N) out;
void main() { gl_TessLevelOuter[0] = 1; }
