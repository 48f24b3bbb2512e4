// RUN: coopc --target-env=vulkan1.3 %s
#version 450
layout(vertices = 3) out;
layout(location = 0) out vec4 color[];
layout(location = 1) flat patch out vec4 whole;
void inner() { barrier(); }
void main() {
  color[0] = vec4(1);
  gl_out[gl_InvocationID + 1].gl_Position = vec4(0);
  if (gl_InvocationID == 0) barrier();
  inner();
}
