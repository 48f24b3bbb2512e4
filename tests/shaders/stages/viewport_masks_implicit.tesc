// Members of gl_out as the language declares it: masks that are used, for each view.
// RUN: coopc --target-env=vulkan1.1 %s
// CHECK-SPIRV
#version 450
#extension GL_NV_viewport_array2 : require
#extension GL_NVX_multiview_per_view_attributes : require
#extension GL_NV_stereo_view_rendering : require
layout(vertices = 3) out;
void main() {
  gl_out[gl_InvocationID].gl_Position = gl_in[gl_InvocationID].gl_Position;
  gl_out[gl_InvocationID].gl_ViewportMaskPerViewNV[1] = 2;
  gl_out[gl_InvocationID].gl_ViewportMaskPerViewNV[3] = gl_out[gl_InvocationID].gl_ViewportMaskPerViewNV[1];
}
