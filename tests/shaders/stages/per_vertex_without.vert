// RUN: coopc --target-env=vulkan1.3 %s
#version 450
out gl_PerVertex { vec4 gl_Position; };
void main() { gl_PointSize = 1.0; }
