// CHECK-SPIRV
// RUN: coopc --target-env=vulkan1.0 %s
// RUN: coopc --target-env=vulkan1.3 %s
// gl_DrawID alone: its capability is DrawParameters, one of three in SPIR-V's table.
#version 460
void main() { gl_Position = vec4(gl_DrawID); }
