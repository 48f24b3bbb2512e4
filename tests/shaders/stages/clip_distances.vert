// RUN: coopc --target-env=vulkan1.3 %s
#version 450
out float gl_ClipDistance[6];
out float gl_CullDistance[3];
void main() { gl_ClipDistance[0] = gl_CullDistance[0] = 0.0; }
