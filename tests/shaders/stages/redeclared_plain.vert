// A redeclaration of a built-in variable must change something: the size of an array, a layout, a block.
// RUN: coopc --target-env=vulkan1.1 %s
#version 450
out float gl_ClipDistance[2];
out vec4 gl_Position;
in int gl_VertexIndex;
invariant gl_PointSize;
void main() { gl_ClipDistance[1] = 1.0; }
