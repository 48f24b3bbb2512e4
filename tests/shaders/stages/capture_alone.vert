// RUN: coopc --target-env=vulkan1.3 -DSTRIDE %s
// RUN: coopc --target-env=vulkan1.3 -DBUFFER %s
// RUN: coopc --target-env=vulkan1.3 -DMEMBER %s
// CHECK-SPIRV
// A default, or a stride without an offset, makes the entry point capture.
#version 460
#ifdef STRIDE
layout(xfb_stride = 16) out;
layout(location = 0) out vec4 a;
#elif defined(BUFFER)
layout(xfb_buffer = 1) out;
layout(location = 0) out vec4 a;
#else
struct S { double d; };
layout(xfb_buffer = 0, xfb_stride = 48, location = 1) out vec4 b;
layout(xfb_offset = 8, location = 0) out vec4 a;
layout(xfb_offset = 24, location = 2) out S s;
#endif
void main() { a = vec4(1); }
