// RUN: coopc --target-env=vulkan1.3 %s
// RUN: coopc --target-env=vulkan1.3 -Wall %s
// RUN: coopc --target-env=vulkan1.3 -fstrict %s
#version 450
layout(local_size_x = 1) in;
#extension GL_EXT_buffer_reference : require
layout(buffer_reference, buffer_reference_align = 4) buffer R { int x; double d; };
layout(buffer_reference) buffer T;
layout(buffer_reference, buffer_reference_align = 4) buffer T { int x; T next; };
void main() {}
