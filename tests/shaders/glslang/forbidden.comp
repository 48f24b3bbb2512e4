// Options that only glslang has.
// RUN: coopc -fno-glslang -fhlsl-offsets %s
// RUN: coopc -fno-glslang -fauto-combined-image-sampler %s
// RUN: coopc -fno-glslang --target-env=opengl %s
// RUN: coopc -fhlsl-offsets %s
#version 450
layout(local_size_x = 1) in;
void main() {}
