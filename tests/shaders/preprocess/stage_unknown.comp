// No extension, no pragma and no option says the stage.
// RUN: coopc --target-env=vulkan1.3 preprocess/include/stage_unknown.glsl
#version 450
layout(local_size_x = 1) in;
void main() {}
