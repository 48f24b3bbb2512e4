#version 450
#extension GL_ARB_shader_viewport_layer_array : require
layout(viewport_relative) out int gl_Layer;
#extension GL_NV_viewport_array2 : require
layout(secondary_view_offset = 1) out int gl_Layer;
layout(viewport_relative) out int gl_ViewportIndex;
layout(viewport_relative, location = 0) out vec4 c;
void main() {
  gl_ViewportMask[0] = 1;
  gl_SecondaryPositionNV = vec4(1);
  gl_PositionPerViewNV[0] = vec4(1);
  gl_ViewportMask = 1;
}
