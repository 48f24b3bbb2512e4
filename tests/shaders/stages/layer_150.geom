// GLSL 1.50 has gl_Layer in geometry shaders.
// RUN: coopc --target-env=vulkan1.3 %s
// CHECK-SPIRV
#version 150
layout(points) in;
layout(points, max_vertices = 1) out;
void main() {
  gl_Position = gl_in[0].gl_Position;
  gl_Layer = 2;
  EmitVertex();
}
