#version 320 es
// Layout qualifiers that ESSL 3.20, 4.4, does not list.
layout(location = 0, xfb_buffer = 0, xfb_offset = 0, xfb_stride = 16) out vec4 v;
layout(location = 1, component = 1) out float w;
void main() { v = vec4(w); }
