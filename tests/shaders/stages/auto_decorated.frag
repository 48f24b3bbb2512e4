// A variable that its decoration makes a built-in one gets no location.
// RUN: coopc --target-env=vulkan1.3 -fauto-map-locations %s
// CHECK-SPIRV
#version 450
#extension GL_EXT_spirv_intrinsics : require
spirv_decorate(extensions = ["SPV_KHR_fragment_shader_barycentric"], capabilities = [5284], 11, 5286) in vec3 barycentric;
in vec4 color;
out vec4 result;
void main() {
  result = color * barycentric.x;
}
