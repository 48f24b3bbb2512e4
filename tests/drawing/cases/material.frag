#version 460
#extension GL_GOOGLE_include_directive : require
#ifdef VECTORS
#extension GL_NV_cooperative_vector : require
#endif
#include "material.glsl"
layout(location = 0) in vec2 place;
layout(location = 0) out vec4 color;
layout(location = 1) out vec4 errors;
void main() {
  vec3 c = material(place);
  color = vec4(c, 1.0);
  // Distances to the network in plain code, which sums in another order, and to the formula that both approximate.
  errors = vec4(distance(c, plainMaterial(place)), distance(c, formula(place)) / 4.0, 0.0, 1.0);
}
