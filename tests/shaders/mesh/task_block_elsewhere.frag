#version 460
#extension GL_NV_mesh_shader : enable
layout(location = 0) out vec4 color;
taskNV in Task {
  vec4 tint;
} task;
void main() { color = vec4(1.0); }
