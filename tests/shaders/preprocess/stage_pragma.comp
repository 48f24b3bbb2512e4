// The first #pragma shader_stage stands before all code, and others agree with it.
// RUN: coopc --target-env=vulkan1.3 preprocess/include/stage_late.glsl
// RUN: coopc --target-env=vulkan1.3 preprocess/include/stage_two.glsl
// RUN: coopc --target-env=vulkan1.3 preprocess/include/stage_twice.glsl
// RUN: coopc --target-env=vulkan1.3 -fshader-stage=compute preprocess/include/stage_two.glsl
#version 450
void main() {}
