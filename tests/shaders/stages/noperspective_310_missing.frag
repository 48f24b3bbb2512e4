#version 310 es
precision highp float;
layout(location = 0) noperspective in vec4 v;
layout(location = 0) out vec4 c;
void main() { c = v; }
