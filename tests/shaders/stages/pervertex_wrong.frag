// Inputs of vertices are arrays of up to three elements.
// RUN: coopc --target-env=vulkan1.3 -DVARIABLE %s
// RUN: coopc --target-env=vulkan1.3 -DBLOCK %s
// RUN: coopc --target-env=vulkan1.3 -DSIZE %s
// RUN: coopc --target-env=vulkan1.3 -DCENTROID %s
// RUN: coopc --target-env=vulkan1.3 -DBLOCK_SIZE %s
#version 450
#extension GL_EXT_fragment_shader_barycentric : require
#if defined VARIABLE
layout(location = 0) pervertexEXT in vec4 a;
#elif defined BLOCK
layout(location = 0) pervertexEXT in B { vec4 a; } b;
#elif defined SIZE
layout(location = 0) pervertexEXT in vec4 a[4];
#elif defined CENTROID
layout(location = 0) centroid pervertexEXT in vec4 a[3];
#else
layout(location = 0) pervertexEXT in B { vec4 a; } b[4];
#endif
void main() {}
