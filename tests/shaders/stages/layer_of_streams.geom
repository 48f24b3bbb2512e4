// CHECK-SPIRV
// Transform feedback of built-in outputs that are not members of a block.
#version 460
layout(points) in;
layout(points, max_vertices = 1) out;
layout(stream = 1) out;
layout(xfb_buffer = 1, xfb_offset = 4, xfb_stride = 16) out int gl_Layer;
layout(xfb_buffer = 1, xfb_offset = 8) out int gl_PrimitiveID;
void main() {
  gl_Layer = 1;
  gl_PrimitiveID = 2;
  EmitStreamVertex(1);
}
