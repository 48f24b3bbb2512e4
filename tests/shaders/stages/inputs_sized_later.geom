// RUN: coopc --target-env=vulkan1.3 %s
// RUN: coopc --target-env=vulkan1.3 -DSIZE=4 %s
// Inputs that are declared again with a size must have as many elements as the primitive.
#version 460
#ifndef SIZE
#define SIZE 3
#endif
layout(location = 0) in vec4 a[];
layout(points, max_vertices = 1) out;
layout(location = 0) in vec4 a[SIZE];
layout(triangles) in;
layout(location = 1) in vec4 b[];
void main() {
  gl_Position = a[2] + b[2];
  EmitVertex();
}
