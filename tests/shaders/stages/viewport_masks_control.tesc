// Vulkan has no viewport mask in tessellation control shaders.
// RUN: coopc --target-env=vulkan1.1 %s
// RUN: coopc --target-env=vulkan1.1 -DREDECLARED %s
#version 450
#extension GL_NV_viewport_array2 : require
layout(vertices = 3) out;
#ifdef REDECLARED
out gl_PerVertex { vec4 gl_Position; int gl_ViewportMask[1]; } gl_out[];
#endif
void main() {
  gl_out[gl_InvocationID].gl_Position = gl_in[gl_InvocationID].gl_Position;
  gl_out[gl_InvocationID].gl_ViewportMask[0] = 2;
}
