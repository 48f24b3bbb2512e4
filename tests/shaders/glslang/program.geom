// The helper program is missing, or ends before it answers.
// RUN: coopc --target-env=opengl --glslang=no/such/program %s
// RUN: coopc --target-env=opengl --glslang=/bin/true %s
#version 450
layout(points) in;
layout(points, max_vertices = 1) out;
void main() {}
