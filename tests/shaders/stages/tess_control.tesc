// Arrays over vertices, patches, levels, the barrier, blocks.
// RUN: coopc --target-env=vulkan1.3 %s
// RUN: coopc --target-env=vulkan1.0 %s
// CHECK-SPIRV
#version 450
layout(vertices = 4) out;
layout(location = 0) in vec3 normal[];
layout(location = 1) in Surface { vec2 uv; float height[2]; } surface[gl_MaxPatchVertices];
layout(location = 0) out vec3 outNormal[];
layout(location = 1) out Result { vec2 uv; flat int id; } result[4];
layout(location = 5) patch out vec4 corner;
layout(location = 6) patch out Patch { float factor; int count[2]; } whole;
layout(push_constant) uniform P { float level; };
void main() {
  gl_out[gl_InvocationID].gl_Position = gl_in[gl_InvocationID].gl_Position;
  gl_out[gl_InvocationID].gl_PointSize = gl_in[gl_InvocationID].gl_PointSize;
  gl_out[gl_InvocationID].gl_ClipDistance[0] = 1.0;
  outNormal[gl_InvocationID] = normal[gl_InvocationID] * float(normal.length() - gl_out.length());
  result[gl_InvocationID].uv = surface[gl_InvocationID].uv + surface[0].height[1];
  result[gl_InvocationID].id = gl_PrimitiveID + gl_PatchVerticesIn;
  barrier();
  if (gl_InvocationID == 0) {
    corner = vec4(outNormal[1], result[2].uv.x);
    whole.factor = gl_out[3].gl_Position.x;
    whole.count[gl_PatchVerticesIn & 1] = 3;
    for (int i = 0; i < gl_TessLevelOuter.length(); ++i) gl_TessLevelOuter[i] = level;
    gl_TessLevelInner[0] = level;
    gl_TessLevelInner[1] = gl_TessLevelInner[0];
  }
}
