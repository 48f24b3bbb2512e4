// An array over vertices is not an array of blocks, but an array of such arrays is.
// RUN: coopc --target-env=vulkan1.1 %s
#version 450
layout(vertices = 3) out;
in A { layout(location = 0) vec4 a; } vertices[];
in B { layout(location = 1) vec4 b; } arrays[][2];
patch out C { layout(location = 0) vec4 c; } patches[2];
void main() { gl_out[gl_InvocationID].gl_Position = vertices[0].a; }
