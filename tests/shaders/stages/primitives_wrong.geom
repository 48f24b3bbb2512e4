// RUN: coopc --target-env=vulkan1.3 %s
#version 450
layout(location = 0) in vec4 early[2];
layout(triangles) in;
layout(lines) in;
layout(lines) out;
layout(points, max_vertices = 1000) out;
layout(location = 1) in vec4 scalar;
layout(location = 2) in Block { vec4 a; };
in gl_PerVertex { vec4 gl_Position; };
layout(stream = 1) out Other { layout(stream = 2, location = 0) vec4 b; };
void main() { }
