// A mask in a stage's interface selects viewports, so the block has only the masks that are used.
// RUN: coopc --target-env=vulkan1.1 %s
// CHECK-SPIRV
#version 450
#extension GL_NV_viewport_array2 : require
#extension GL_NVX_multiview_per_view_attributes : require
#extension GL_NV_stereo_view_rendering : require
void main() {
  gl_Position = vec4(1);
  gl_ViewportMaskPerViewNV[1] = 2;
}
