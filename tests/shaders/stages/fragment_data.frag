// gl_FragData is an array of outputs at location 0.
// RUN: coopc --target-env=vulkan1.3 -fauto-map-locations %s
// CHECK-SPIRV
#version 330
flat in int which;
void main() {
  gl_FragData[which] = vec4(1);
}
