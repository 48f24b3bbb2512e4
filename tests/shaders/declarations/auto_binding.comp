// RUN: coopc --target-env=vulkan1.3 -fauto-bind-uniforms -fssbo-binding-base 2 %s
// CHECK-SPIRV
#version 450
// Missing bindings get the lowest free ones of the set, from the kind's base on, in order of declaration.
layout(local_size_x = 1) in;
buffer A { int x; } a;
layout(binding = 3) buffer B { int x; } b;
buffer C { int x; } c;
layout(set = 1) buffer D { int x; } d;
uniform U { int x; } u;
layout(binding = 0) uniform sampler2D s;
uniform sampler2D t;
buffer Unused { int x; } unused;
buffer E { int x; } e;
void main() {
  a.x = b.x + c.x + d.x + u.x + int(texelFetch(s, ivec2(0), 0).x + texelFetch(t, ivec2(0), 0).x);
  e.x = 1;
}
