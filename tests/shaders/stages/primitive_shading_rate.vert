// CHECK-SPIRV
// The rate of a primitive needs only its own capability.
#version 460
#extension GL_EXT_fragment_shading_rate : require
void main() {
  gl_Position = vec4(0);
  gl_PrimitiveShadingRateEXT = 1;
}
