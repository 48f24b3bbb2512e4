// RUN: coopc --target-env=vulkan1.3 %s
// RUN: coopc --target-env=vulkan1.1 %s
// CHECK-SPIRV
// A layer needs no geometry shader where the extension is enabled.
#version 460
#extension GL_ARB_shader_viewport_layer_array : require
void main() {
  gl_Layer = 1;
  gl_ViewportIndex = 2;
  gl_Position = vec4(0);
}
