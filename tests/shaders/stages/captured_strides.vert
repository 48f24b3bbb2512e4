// CHECK-SPIRV
// A stride that nothing declares is rounded up to 8 bytes if a double is captured, otherwise to 4.
#version 460
layout(xfb_buffer = 0, xfb_offset = 0, location = 0) out double a;
layout(xfb_buffer = 0, xfb_offset = 8, location = 2) out float b;
layout(xfb_buffer = 1, xfb_offset = 4, location = 3) out float c;
layout(xfb_buffer = 2, xfb_offset = 0, location = 4) out float d;
layout(xfb_buffer = 2, xfb_offset = 8, location = 5) out double e;
layout(xfb_buffer = 2, xfb_offset = 16, location = 7) out float f;
void main() { a = 1; b = 2; c = 3; d = 4; e = 5; f = 6; }
