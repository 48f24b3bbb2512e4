// Built-in variables of extensions.
// RUN: coopc --target-env=vulkan1.3 %s
// RUN: coopc --target-env=vulkan1.0 %s
// CHECK-SPIRV
#version 450
#extension GL_EXT_multiview : require
#extension GL_ARB_shader_draw_parameters : require
#extension GL_ARB_shader_viewport_layer_array : require
#extension GL_EXT_fragment_shading_rate : require
void main() {
  gl_Layer = gl_ViewIndex;
  gl_ViewportIndex = gl_BaseVertexARB + gl_BaseInstanceARB + gl_DrawIDARB;
  gl_PrimitiveShadingRateEXT = gl_ShadingRateFlag2VerticalPixelsEXT;
}
