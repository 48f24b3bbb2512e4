// An extension that only glslang knows: compiled there, with a note.
// RUN: coopc --target-env=vulkan1.3 %s
// RUN: coopc --target-env=vulkan1.3 -w -O %s
// RUN: coopc --target-env=vulkan1.3 -fno-glslang %s
#version 460
#extension GL_NV_geometry_shader_passthrough : require
layout(triangles) in;
layout(passthrough) in gl_PerVertex { vec4 gl_Position; } gl_in[];
void main() { gl_Layer = 1; }
