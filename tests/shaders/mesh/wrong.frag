// A payload in a fragment shader.
// RUN: coopc --target-env=vulkan1.3 %s
#version 450
#extension GL_EXT_mesh_shader : require
taskPayloadSharedEXT int a;
void main() {}
