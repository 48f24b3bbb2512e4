#version 320 es
// Layout qualifiers that ESSL 3.20, 4.4, does not list; the variables alone may be redeclared.
precision highp float;
layout(origin_upper_left) in vec4 gl_FragCoord;
layout(depth_greater) out float gl_FragDepth;
void main() { gl_FragDepth = gl_FragCoord.z; }
