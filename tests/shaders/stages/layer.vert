// RUN: coopc --target-env=vulkan1.3 %s
// RUN: coopc --target-env=vulkan1.1 %s
// CHECK-SPIRV
// With the extension, a layer needs no geometry shader.
#version 460
#extension GL_ARB_shader_viewport_layer_array : require
void main() {
  gl_Layer = 1;
  gl_ViewportIndex = 2;
  gl_Position = vec4(0);
}
