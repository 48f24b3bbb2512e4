// gl_PerVertex redeclared in both directions, the layout after the outputs that it sizes.
// RUN: coopc --target-env=vulkan1.3 %s
// CHECK-SPIRV
#version 460
in gl_PerVertex { vec4 gl_Position; float gl_CullDistance[3]; } gl_in[gl_MaxPatchVertices];
out gl_PerVertex { invariant vec4 gl_Position; float gl_CullDistance[3]; } gl_out[];
layout(location = 0) out float a[];
layout(vertices = 2) out;
void copy(inout float x) { x += 1.0; }
void main() {
  gl_out[gl_InvocationID].gl_Position = gl_in[gl_InvocationID].gl_Position;
  gl_out[gl_InvocationID].gl_CullDistance = gl_in[gl_InvocationID].gl_CullDistance;
  a[gl_InvocationID] = float(a.length());
  copy(a[gl_InvocationID]);
  gl_TessLevelOuter[0] = 2.0;
}
