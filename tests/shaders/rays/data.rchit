// Types, locations and layouts of payloads, hit attributes and callable data.
// RUN: coopc --target-env=vulkan1.3 %s
#version 460
#extension GL_EXT_ray_tracing : require
rayPayloadEXT vec4 a;
layout(location = 0) rayPayloadInEXT vec4 b;
layout(location = 0) rayPayloadEXT vec4 c;
layout(location = 1) rayPayloadEXT vec4 d = vec4(0);
layout(location = 2) rayPayloadEXT sampler2D e;
layout(location = 3) rayPayloadEXT float f[];
layout(location = 0) hitAttributeEXT vec2 g;
layout(location = 4, binding = 1) rayPayloadEXT vec4 h;
layout(location = 5) rayPayloadEXT Block { layout(location = 6) vec4 i; float j[]; };
layout(location = 7) rayPayloadEXT uniform vec4 k;
layout(location = 8) flat rayPayloadEXT vec4 l;
layout(location = 9) coherent rayPayloadEXT vec4 m;
callableDataEXT Data { vec4 n; };
layout(location = 10) rayPayloadEXT void o;
void pass(rayPayloadEXT vec4 p) {}
void main() {
  layout(location = 11) rayPayloadEXT vec4 q;
  g = vec2(0);
}
