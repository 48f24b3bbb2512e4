// Blocks of payloads and attributes cannot be arrays without a size, and neither can variables.
// RUN: coopc --target-env=vulkan1.3 %s
#version 460
#extension GL_EXT_ray_tracing : require
layout(location = 0) rayPayloadInEXT A { vec4 a; } first[];
layout(location = 1) rayPayloadEXT B { vec4 b; } second[];
layout(location = 0) callableDataEXT C { vec4 c; } third[];
hitAttributeEXT D { vec2 d; } fourth[];
layout(location = 2) rayPayloadEXT E { vec4 e; } sized[2];
void main() {}
