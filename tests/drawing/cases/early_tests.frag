#version 460
layout(early_fragment_tests) in;
layout(set = 0, binding = 0) buffer Count { uint shaded; };
layout(set = 0, binding = 1, r32ui) uniform uimage2D seen;
layout(location = 0) out vec4 color;
layout(location = 0) flat in int instance;
void main() {
  atomicAdd(shaded, 1u);
  imageAtomicAdd(seen, ivec2(gl_FragCoord.xy), 1u);
  color = vec4(instance);
}
