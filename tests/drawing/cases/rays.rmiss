#version 460
#extension GL_EXT_ray_tracing : require
layout(location = 0) rayPayloadInEXT ivec4 found;
void main() { found = ivec4(-7, int(gl_RayTmaxEXT), 0, 0); }
