// Two names of one built-in input are one variable.
// RUN: coopc --target-env=vulkan1.3 -S %s -o -
#version 460
#extension GL_EXT_fragment_shader_barycentric : require
#extension GL_NV_fragment_shader_barycentric : require
layout(location = 0) out vec3 color;
void main() { color = gl_BaryCoordEXT + gl_BaryCoordNV; }
