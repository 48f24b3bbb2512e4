// Coordinates and levels, inputs of vertices and of the patch, the modes of the tessellation.
// RUN: coopc --target-env=vulkan1.3 %s
// RUN: coopc --target-env=vulkan1.0 %s
// CHECK-SPIRV
#version 450
#extension GL_ARB_shader_viewport_layer_array : require
layout(quads, fractional_odd_spacing, cw) in;
layout(point_mode) in;
layout(location = 0) in vec3 normal[];
layout(location = 1) in Result { vec2 uv; flat int id; } result[];
layout(location = 5) patch in vec4 corner;
layout(location = 6) patch in Patch { float factor; int count[2]; };
layout(location = 0) out vec3 outNormal;
layout(location = 1) flat out int id;
void main() {
  gl_Position = mix(gl_in[0].gl_Position, gl_in[1].gl_Position, gl_TessCoord.x) + corner * factor;
  gl_PointSize = gl_in[gl_PatchVerticesIn - 1].gl_PointSize;
  gl_ClipDistance[1] = gl_in[2].gl_ClipDistance[0];
  outNormal = normal[gl_PrimitiveID & 3] * gl_TessLevelOuter[3] + gl_TessLevelInner[1];
  id = result[1].id + count[0] + normal.length();
  gl_Layer = gl_PrimitiveID;
}
