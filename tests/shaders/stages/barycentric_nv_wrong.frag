#version 450
#extension GL_NV_fragment_shader_barycentric : require
layout(location = 0) pervertexNV flat in float a[];
layout(location = 0) pervertexNV out vec4 b;
layout(location = 1) pervertexEXT in float c[];
void main() { b = vec4(gl_BaryCoordEXT, 0); }
