// gl_Layer and gl_ViewportIndex by GL_NV_viewport_array2 alone.
// RUN: coopc --target-env=vulkan1.1 %s
// RUN: coopc --target-env=vulkan1.2 %s
// CHECK-SPIRV
#version 450
#extension GL_NV_viewport_array2 : require
layout(triangles) in;
layout(viewport_relative) out int gl_Layer;
void main() { gl_Position = vec4(gl_TessCoord, 1); gl_ViewportMask[0] = 1; gl_Layer = 2; gl_ViewportIndex = 3; }
