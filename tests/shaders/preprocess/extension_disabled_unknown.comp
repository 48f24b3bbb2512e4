// 3.3: a warning, although there is nothing to disable. Programs disable extensions of other stages and other compilers.
// RUN: coopc --target-env=vulkan1.3 %s
// RUN: coopc --target-env=vulkan1.3 -Wall %s
#version 450
#extension GL_EXT_no_such : disable
#extension GL_NO_such : disable
layout(local_size_x = 1) in;
void main() {}
