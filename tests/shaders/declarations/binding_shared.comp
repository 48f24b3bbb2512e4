// RUN: coopc --target-env=vulkan1.3 -fauto-bind-uniforms %s
// CHECK-SPIRV
// Bindings that two variables share are skipped when free ones are assigned.
#version 460
layout(local_size_x = 1) in;
layout(set = 0, binding = 0) uniform A { int a; } a;
layout(set = 0, binding = 0) uniform B { int b; } b;
layout(set = 0, binding = 1) uniform C { int c; } c;
layout(set = 0, binding = 1) uniform D { int d; } d;
uniform E { int e; } e;
layout(set = 0, binding = 3) buffer F { int f; } f;
uniform G { int g; } g;
void main() { f.f = a.a + b.b + c.c + d.d + e.e + g.g; }
