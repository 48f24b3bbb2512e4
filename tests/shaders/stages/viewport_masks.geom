// GL_NV_viewport_array2, GL_NV_stereo_view_rendering, GL_NVX_multiview_per_view_attributes.
// RUN: coopc --target-env=vulkan1.1 %s
// CHECK-SPIRV
#version 450
#extension GL_NV_viewport_array2 : require
#extension GL_NV_stereo_view_rendering : require
#extension GL_NVX_multiview_per_view_attributes : require
layout(triangles) in;
layout(triangle_strip, max_vertices = 3) out;
layout(viewport_relative, secondary_view_offset = 1) out int gl_Layer;
void main() {
  for (int i = 0; i < 3; ++i) {
    gl_Position = gl_in[i].gl_Position; gl_SecondaryPositionNV = gl_in[i].gl_SecondaryPositionNV;
    gl_PositionPerViewNV[0] = gl_in[i].gl_PositionPerViewNV[1]; gl_PositionPerViewNV[1] = vec4(1);
    gl_ViewportMask[0] = 3; gl_SecondaryViewportMaskNV[0] = 1; gl_ViewportMaskPerViewNV[1] = 2; gl_Layer = 1;
    EmitVertex();
  }
}
