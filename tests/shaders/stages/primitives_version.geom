#version 310 es
// RUN: coopc --target-env=vulkan1.3 %s
layout(triangles) in;
layout(points, max_vertices = 3) out;
void main() { }
