// RUN: coopc --target-env=vulkan1.3 %s
#version 450
layout(location = 0) in vec4 color[];
vec4 f() { return color[4]; }
layout(triangles) in;
layout(line_strip, max_vertices = 2) out;
void main() { EmitStreamVertex(1); }
