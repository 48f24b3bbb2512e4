// #pragma shader_stage.
// RUN: coopc --target-env=vulkan1.3 preprocess/include/stage_name_unknown.glsl
#version 450
layout(local_size_x = 1) in;
void main() {}
