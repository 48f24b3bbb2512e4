#version 310 es
// ESSL has no purpose for redeclarations of gl_FragCoord and gl_FragDepth.
// RUN: coopc %s
precision highp float;
in highp vec4 gl_FragCoord;
out highp float gl_FragDepth;
void main() { gl_FragDepth = gl_FragCoord.z; }
