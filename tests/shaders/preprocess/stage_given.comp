// The stage given by an option or a pragma overrides the name of the file.
// RUN: coopc --target-env=vulkan1.3 -fno-glslang -fshader-stage=mesh %s
// RUN: coopc --target-env=vulkan1.3 -fno-glslang preprocess/include/stage_mesh.glsl
#version 450
layout(local_size_x = 1) in;
void main() {}
