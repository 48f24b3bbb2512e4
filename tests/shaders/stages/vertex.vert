// Inputs of all kinds of types, outputs and blocks of them, built-in variables of vertex shaders.
// RUN: coopc --target-env=vulkan1.3 %s
// RUN: coopc --target-env=vulkan1.0 %s
// CHECK-SPIRV
#version 460
layout(location = 0) in vec4 position;
layout(location = 1, component = 1) in vec2 pair;
layout(location = 1) in float first;
layout(location = 2) in mat3 matrix;
layout(location = 5) in ivec4 integers;
layout(location = 6) in float list[2];
layout(location = 8) in dvec3 wide;
struct Light { vec3 direction; float power; };
layout(location = 0) out vec4 color;
layout(location = 1) flat out int id;
layout(location = 2) noperspective centroid out vec2 uv;
layout(location = 3) out Light lights[2];
layout(location = 7) out Surface {
  vec3 normal;
  flat uint material;
  layout(location = 12) vec2 detail;
} surface;
layout(location = 20) invariant out float depth;
precise layout(location = 21) out float exact;
void main() {
  gl_Position = vec4(matrix * position.xyz, float(wide.x));
  gl_PointSize = first;
  gl_ClipDistance[0] = pair.x;
  gl_ClipDistance[2] = pair.y;
  color = position + vec4(list[0], list[1], 0, 0);
  id = gl_VertexIndex + gl_InstanceIndex + gl_BaseVertex + gl_BaseInstance + gl_DrawID + integers.x;
  uv = pair;
  lights[1].direction = position.xyz;
  lights[0] = Light(vec3(1), 2.0);
  surface.normal = position.xyz;
  surface.material = 3u;
  surface.detail = pair;
  depth = gl_Position.z;
  exact = first * pair.x + pair.y;
}
