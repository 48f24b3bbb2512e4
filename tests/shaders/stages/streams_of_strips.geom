// Vertex streams of strips: devices with transformFeedbackStreamsLinesTriangles have them (decision 76).
// RUN: coopc --target-env=vulkan1.3 %s
// RUN: coopc --target-env=vulkan1.3 -Wall %s
// RUN: coopc --target-env=vulkan1.3 -fstrict %s
// CHECK-SPIRV
#version 450
layout(triangles) in;
layout(triangle_strip, max_vertices = 3) out;
layout(location = 0, stream = 0) out vec4 a;
layout(location = 1, stream = 1) out vec4 b;
void main() {
  a = vec4(1);
  EmitStreamVertex(0);
  EndStreamPrimitive(0);
  b = vec4(2);
  EmitStreamVertex(1);
  EndStreamPrimitive(1);
}
