// GL_NV_shader_noperspective_interpolation.
// CHECK-SPIRV
#version 310 es
#extension GL_NV_shader_noperspective_interpolation : require
precision highp float;
layout(location = 0) noperspective in vec4 v;
layout(location = 0) out vec4 c;
void main() { c = v; }
