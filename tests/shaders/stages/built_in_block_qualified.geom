// Both built-in blocks of a stage with a location (decision 75).
// RUN: coopc --target-env=vulkan1.3 -Wall %s
#version 460
layout(points) in;
layout(points, max_vertices = 1) out;
layout(location = 0) in gl_PerVertex { vec4 gl_Position; } gl_in[];
layout(location = 1) out gl_PerVertex { vec4 gl_Position; };
layout(location = 0) in vec4 color[];
layout(location = 1) out vec4 passed;
void main() {
  gl_Position = gl_in[0].gl_Position;
  passed = color[0];
  EmitVertex();
}
