#version 460
#extension GL_NV_geometry_shader_passthrough : require
layout(triangles) in;
layout(passthrough) in gl_PerVertex { vec4 gl_Position; } gl_in[];
layout(location = 0, passthrough) in vec4 tint[];
void main() { gl_PrimitiveID = gl_PrimitiveIDIn + 4; }
