// Several vertex streams, and their outputs that transform feedback captures.
// RUN: coopc --target-env=vulkan1.3 %s
// CHECK-SPIRV
#version 450
layout(points) in;
layout(points, max_vertices = 2) out;
layout(xfb_buffer = 0, xfb_stride = 48) out;
out gl_PerVertex { layout(xfb_offset = 0) vec4 gl_Position; float gl_PointSize; };
layout(location = 0, xfb_offset = 16) out vec3 a;
layout(stream = 1, xfb_buffer = 1) out;
layout(location = 1, xfb_offset = 8) out Block { float first; dvec2 second; layout(xfb_offset = 64) float third[2]; };
layout(location = 6) out vec4 notCaptured;
layout(location = 7, stream = 0, xfb_buffer = 0, xfb_offset = 32) out mat2 m;
void main() {
  gl_Position = gl_in[0].gl_Position;
  a = vec3(1);
  m = mat2(2);
  EmitStreamVertex(0);
  EndStreamPrimitive(0);
  first = 1.0;
  second = dvec2(2);
  third[1] = 3.0;
  notCaptured = vec4(4);
  EmitStreamVertex(1);
  EndStreamPrimitive(1);
}
