#version 460
#extension GL_EXT_ray_tracing : require
layout(location = 1) rayPayloadInEXT int lit;
void main() { lit = 1; }
