#version 310 es
#extension GL_EXT_shader_implicit_conversions : require
precision highp float;
layout(location = 0) out vec4 c;
void main() {
  int a = 1.0;
  int b = 2u;
  bool d = 1;
  c = vec4(a, b, d, 1);
}
