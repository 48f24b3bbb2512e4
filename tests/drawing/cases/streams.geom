#version 460
layout(points) in;
layout(points, max_vertices = 3) out;
layout(location = 0) in uint number[];
layout(stream = 0, location = 0, xfb_buffer = 0, xfb_stride = 4, xfb_offset = 0) out uint even;
layout(stream = 1, location = 1, xfb_buffer = 1, xfb_stride = 8, xfb_offset = 0) out uvec2 odd;
void main() {
  if ((number[0] & 1u) == 0u) {
    gl_Position = gl_in[0].gl_Position;
    gl_PointSize = 1.0;
    even = number[0] * 3u;
    EmitStreamVertex(0);
    EndStreamPrimitive(0);
  } else {
    for (uint i = 0u; i < 2u; ++i) {
      odd = uvec2(number[0], i);
      EmitStreamVertex(1);
      EndStreamPrimitive(1);
    }
  }
}
