#version 310 es
// ESSL 3.10 with the extension.
// RUN: coopc --target-env=vulkan1.3 %s
// CHECK-SPIRV
#extension GL_OES_tessellation_shader : require
layout(vertices = 3) out;
layout(location = 0) in highp vec4 color[];
layout(location = 0) out highp vec4 result[];
layout(location = 1) patch out highp float factor;
void main() {
  gl_out[gl_InvocationID].gl_Position = gl_in[gl_InvocationID].gl_Position;
  result[gl_InvocationID] = color[gl_InvocationID];
  barrier();
  gl_TessLevelOuter[0] = 1.0;
  gl_TessLevelInner[0] = 1.0;
  factor = 1.0;
}
