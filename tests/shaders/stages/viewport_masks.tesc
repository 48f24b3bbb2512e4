// The members of the redeclared blocks, which are arrays without a size.
// RUN: coopc --target-env=vulkan1.1 %s
// CHECK-SPIRV
#version 450
#extension GL_NV_viewport_array2 : require
#extension GL_NV_stereo_view_rendering : require
#extension GL_NVX_multiview_per_view_attributes : require
layout(vertices = 4) out;
in gl_PerVertex { vec4 gl_Position; vec4 gl_SecondaryPositionNV; vec4 gl_PositionPerViewNV[2]; } gl_in[];
out gl_PerVertex {
  vec4 gl_Position;
  int gl_SecondaryViewportMaskNV[2];
  vec4 gl_SecondaryPositionNV;
  vec4 gl_PositionPerViewNV[];
  int gl_ViewportMaskPerViewNV[2];
} gl_out[];
void main() {
  gl_out[gl_InvocationID].gl_Position = gl_in[gl_InvocationID].gl_SecondaryPositionNV;
  gl_out[gl_InvocationID].gl_SecondaryPositionNV = gl_in[gl_InvocationID].gl_PositionPerViewNV[1];
  gl_out[gl_InvocationID].gl_PositionPerViewNV[1] = vec4(1);
  gl_out[gl_InvocationID].gl_SecondaryViewportMaskNV[1] = 3;
  gl_out[gl_InvocationID].gl_ViewportMaskPerViewNV[1] = 3;
}
