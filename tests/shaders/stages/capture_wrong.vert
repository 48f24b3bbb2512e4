// RUN: coopc --target-env=vulkan1.3 %s
#version 450
layout(xfb_buffer = 4) out;
layout(xfb_buffer = 1, xfb_stride = 16) out;
layout(xfb_buffer = 1, xfb_stride = 32) out;
layout(xfb_buffer = 2, xfb_stride = 18) out;
layout(location = 0, xfb_buffer = 0, xfb_offset = 2) out vec4 odd;
layout(location = 1, xfb_buffer = 0, xfb_offset = 4) out vec4 over;
layout(location = 2, xfb_buffer = 1, xfb_offset = 20) out vec4 far;
layout(location = 3, xfb_buffer = 3, xfb_offset = 300) out vec4 limit;
layout(location = 4, xfb_buffer = 0, xfb_offset = 400) out float unsized[];
layout(location = 5, xfb_buffer = 1) out B { layout(xfb_buffer = 2, xfb_offset = 0) vec4 b; };
void main() { gl_Position = vec4(0); unsized[1] = 1.0; }
