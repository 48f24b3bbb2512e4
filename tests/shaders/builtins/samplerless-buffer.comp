// GL_EXT_samplerless_texture_functions adds texelFetch of texture buffers; programs use it without the extension.
// RUN: coopc --target-env=vulkan1.3 %s
// RUN: coopc --target-env=vulkan1.3 -Wall %s
// RUN: coopc --target-env=vulkan1.3 -fstrict %s
#version 450
layout(local_size_x = 1) in;
layout(set = 0, binding = 0) uniform utextureBuffer t;
layout(set = 0, binding = 1) buffer B { uint x; };
void main() { x = texelFetch(t, 0).x; }
