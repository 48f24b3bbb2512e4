#version 310 es
// In ESSL, redeclarations of gl_FragCoord and gl_FragDepth cannot change anything.
// RUN: coopc %s
precision highp float;
in highp vec4 gl_FragCoord;
out highp float gl_FragDepth;
void main() { gl_FragDepth = gl_FragCoord.z; }
