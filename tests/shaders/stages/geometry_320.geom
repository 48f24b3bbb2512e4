#version 320 es
// ESSL 3.20 has these stages; gl_PointSize is an extension there.
// RUN: coopc --target-env=vulkan1.3 %s
// CHECK-SPIRV
#extension GL_EXT_geometry_point_size : require
layout(lines) in;
layout(line_strip, max_vertices = 2) out;
layout(location = 0) in highp vec4 color[];
layout(location = 0) out mediump vec4 result;
void main() {
  for (int i = 0; i < 2; ++i) {
    gl_Position = gl_in[i].gl_Position;
    gl_PointSize = gl_in[i].gl_PointSize;
    gl_Layer = gl_PrimitiveIDIn;
    gl_PrimitiveID = 1;
    result = color[i];
    EmitVertex();
  }
  EndPrimitive();
}
