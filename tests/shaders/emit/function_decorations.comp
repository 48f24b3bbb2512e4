// CHECK-SPIRV
// Decorations of GL_EXT_spirv_intrinsics on a function and on its parameters.
#version 460
#extension GL_EXT_spirv_intrinsics : require
layout(local_size_x = 1) in;
layout(set = 0, binding = 0) buffer B { float x; };
spirv_decorate(0) float twice(float v) { return v + v; }
void main() { x = twice(x); }
