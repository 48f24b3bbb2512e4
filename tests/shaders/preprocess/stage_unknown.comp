// Neither a file extension nor a pragma nor an option gives the stage.
// RUN: coopc --target-env=vulkan1.3 preprocess/include/stage_unknown.glsl
#version 450
layout(local_size_x = 1) in;
void main() {}
