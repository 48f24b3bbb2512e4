// RUN: coopc --target-env=vulkan1.3 %s
// RUN: coopc --target-env=vulkan1.3 -std=410 %s
// RUN: coopc --target-env=vulkan1.3 -fshader-stage=geometry -DGEOMETRY -std=410 %s
// Inputs of fragment shaders could be invariant before GLSL 4.20.
#version 460
#ifdef GEOMETRY
layout(points) in;
layout(points, max_vertices = 1) out;
layout(location = 0) invariant in vec4 x[];
void main() {}
#else
layout(location = 0) invariant in vec4 x;
layout(location = 0) out vec4 color;
void main() { color = x; }
#endif
