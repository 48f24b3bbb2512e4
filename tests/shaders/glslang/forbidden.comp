// Options that only glslang supports.
// RUN: coopc -fno-glslang -fauto-combined-image-sampler %s
// RUN: coopc -fno-glslang --target-env=opengl %s
// RUN: coopc -fauto-combined-image-sampler %s
#version 450
layout(local_size_x = 1) in;
void main() {}
