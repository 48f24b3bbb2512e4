// Masks are members of gl_out only, and not inputs.
#version 450
#extension GL_NV_viewport_array2 : require
layout(vertices = 4) out;
void main() {
  gl_out[gl_InvocationID].gl_ViewportMask[0] = gl_in[0].gl_ViewportMask[0];
  gl_ViewportMask[0] = 1;
}
