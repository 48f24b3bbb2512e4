// GL_EXT_shader_implicit_conversions: as in desktop GLSL.
// CHECK-SPIRV
#version 310 es
#extension GL_EXT_shader_implicit_conversions : require
precision highp float; precision highp int;
layout(location = 0) out vec4 c;
layout(location = 0) flat in int k;
float f(float x) { return x; }
void main() { float x = k; uint u = uint(3) + uint(k); x += u; c = vec4(f(k), x, u * 2.0, 1); }
