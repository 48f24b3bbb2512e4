// CHECK-SPIRV
// A stride that nothing declares is rounded up to 8 bytes if a double is captured, otherwise to 4.
#version 460
#extension GL_EXT_shader_explicit_arithmetic_types : require
struct H { float16_t h; };
layout(xfb_buffer = 0, xfb_offset = 0, location = 0) out double a;
layout(xfb_buffer = 0, xfb_offset = 8, location = 2) out float b;
layout(xfb_buffer = 1, xfb_offset = 4, location = 3) out float c;
layout(xfb_buffer = 2, xfb_offset = 0, location = 4) out float d;
layout(xfb_buffer = 2, xfb_offset = 8, location = 5) out double e;
layout(xfb_buffer = 2, xfb_offset = 16, location = 7) out float f;
layout(xfb_buffer = 3, xfb_offset = 2, location = 8) out H h;
layout(xfb_buffer = 3, xfb_offset = 6, location = 9) out float16_t i[2];
void main() { a = 1; b = 2; c = 3; d = 4; e = 5; f = 6; }
