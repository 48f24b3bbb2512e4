// RUN: coopc --target-env=vulkan1.3 -fubo-binding-base 20 -fssbo-binding-base comp 30 -ftexture-binding-base 40 -fsampler-binding-base 50 -fimage-binding-base 60 -fssbo-binding-base frag 70 %s
// RUN: coopc --target-env=vulkan1.3 -fauto-bind-uniforms -fubo-binding-base 2 %s
// CHECK-SPIRV
// A base is added to explicit bindings too, used or not, as in glslc.
#version 450
layout(local_size_x = 1) in;
layout(binding = 3) uniform U { float x; } u;
layout(binding = 0) uniform Unused { float x; } unused;
layout(binding = 4) uniform texture2D t;
layout(binding = 5) uniform sampler s;
layout(binding = 6, set = 1) buffer B { float x; } b;
layout(binding = 7, r32f) uniform image2D i;
layout(binding = 1) uniform V { float x; } v;
void main() {
  b.x = u.x + v.x + texture(sampler2D(t, s), vec2(0)).x;
  imageStore(i, ivec2(0), vec4(b.x));
}
