// Barycentric coordinates are part of shader model 6.1.
//! glsl compiles
//! glsl has GL_EXT_fragment_shader_barycentric
//! hlsl has SV_Barycentrics
//! msl has [[barycentric_coord
#version 450
#extension GL_EXT_fragment_shader_barycentric : require
layout(location = 0) out vec4 target;
void main() { target = vec4(gl_BaryCoordEXT, 1.0); }
