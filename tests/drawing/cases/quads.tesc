#version 460
layout(vertices = 4) out;
layout(location = 0) out vec2 corner[];
layout(location = 1) patch out vec4 tint;
layout(location = 2) patch out float sums[2];
void main() {
  gl_out[gl_InvocationID].gl_Position = gl_in[gl_InvocationID].gl_Position;
  corner[gl_InvocationID] = gl_in[gl_InvocationID].gl_Position.xy * 0.5 + 0.5;
  barrier();
  if (gl_InvocationID == 0) {
    tint = vec4(0.0, 0.0, float(gl_PatchVerticesIn) / 255.0, 1.0);
    sums[0] = corner[3].x + corner[2].y;
    sums[1] = float(gl_PrimitiveID);
    gl_TessLevelOuter[0] = gl_TessLevelOuter[1] = gl_TessLevelOuter[2] = gl_TessLevelOuter[3] = 4.0;
    gl_TessLevelInner[0] = gl_TessLevelInner[1] = 2.0;
  }
}
