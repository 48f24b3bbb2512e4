// RUN: coopc --target-env=vulkan1.3 %s
// RUN: coopc --target-env=vulkan1.3 -DWRONG %s
#version 460
#extension GL_NVX_multiview_per_view_attributes : require
#ifdef WRONG
out vec3 gl_PositionPerViewNV[];
#else
out vec4 gl_PositionPerViewNV[2];
#endif
void main() {
  gl_Position = vec4(0);
  gl_PositionPerViewNV[1] = vec4(1);
}
