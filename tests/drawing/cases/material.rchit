#version 460
#extension GL_EXT_ray_tracing : require
#extension GL_GOOGLE_include_directive : require
#extension GL_NV_cooperative_vector : require
#include "material.glsl"
layout(location = 0) rayPayloadInEXT vec4 found;
hitAttributeEXT vec2 barycentric;
void main() {
  // The corner between the triangle's legs is the material's origin.
  found = vec4(material(barycentric), distance(material(barycentric), plainMaterial(barycentric)));
}
