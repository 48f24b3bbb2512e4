// RUN: coopc --target-env=vulkan1.3 -fauto-map-locations %s
// CHECK-SPIRV
// Inputs that are passed through get locations, which outputs then cannot use.
#version 460
#extension GL_NV_geometry_shader_passthrough : require
layout(triangles) in;
layout(passthrough) in vec4 a[];
layout(passthrough) in Block { vec2 b; float c; } block[];
layout(location = 2, passthrough) in vec4 d[];
layout(location = 3) out vec4 e;
layout(passthrough) in gl_PerVertex { vec4 gl_Position; } gl_in[];
void main() { e = vec4(1); }
