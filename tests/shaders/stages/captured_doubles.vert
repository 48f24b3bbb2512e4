// Transform feedback of arrays and structures, whose first component decides about the offset's alignment.
#version 460
struct D { double d; float f; };
struct F { float f; double d; };
struct N { D n[2]; };
struct O { double d; };
layout(xfb_buffer = 0, xfb_offset = 4, location = 0) out D a;
layout(xfb_buffer = 0, xfb_offset = 36, location = 4) out F b;
layout(xfb_buffer = 0, xfb_offset = 68, location = 8) out N c;
layout(xfb_buffer = 0, xfb_offset = 124, location = 16) out double d[2];
layout(xfb_buffer = 0, xfb_offset = 148, location = 18) out O o;
layout(xfb_buffer = 1, xfb_stride = 12) out;
layout(xfb_buffer = 1, xfb_offset = 0, location = 20) out double e;
layout(xfb_buffer = 2, xfb_stride = 12) out;
layout(xfb_buffer = 2, xfb_offset = 0, location = 22) out float f;
layout(xfb_buffer = 3, xfb_offset = 0, location = 24) out dvec2 g;
layout(xfb_buffer = 3, xfb_offset = 16, location = 26) out float h;
void main() {}
