// RUN: coopc --target-env=vulkan1.3 %s
#version 450
in vec4 gl_Position;
out float gl_ClipDistance;
out gl_PerVertex { vec4 gl_Position; vec2 gl_PointSize; float other; };
void main() { gl_ClipDistance[0] = 1.0; }
