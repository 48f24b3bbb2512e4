#version 460
layout(points, invocations = 2) in;
layout(triangle_strip, max_vertices = 4) out;
layout(location = 0) in vec4 color[];
layout(location = 0) out vec4 tint;
void main() {
  // The first invocation makes a square of 4 pixels around each point, the second one of 2 pixels.
  float size = gl_InvocationID == 0 ? 0.25 : 0.125;
  for (int i = 0; i < 4; ++i) {
    gl_Position = gl_in[0].gl_Position + vec4((vec2(i & 1, i >> 1) * 2.0 - 1.0) * size, 0.0, 0.0);
    tint = color[0] * 0.5 + vec4(0.0, 0.0, float(gl_PrimitiveIDIn) / 255.0 + float(gl_InvocationID) * 0.5, 0.0);
    gl_PrimitiveID = gl_PrimitiveIDIn;
    EmitVertex();
  }
  EndPrimitive();
}
