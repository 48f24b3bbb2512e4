// CHECK-SPIRV
// A combined texture made of two is put together in the block that samples it, whatever control flow the other
// arguments have (SPIR-V, OpSampledImage).
#version 460
layout(local_size_x = 1) in;
layout(binding = 0) uniform texture2D t;
layout(binding = 1) uniform sampler s;
layout(binding = 2) uniform texture2D many[4];
layout(binding = 3) buffer B { vec4 v[]; };
layout(push_constant) uniform P { int i; };
vec2 pick(vec2 a) {
  if (v[i].x > 1.0) v[4].x += 1.0;
  return a * 2.0;
}
void main() {
  v[0] = textureLod(sampler2D(t, s), i > 2 && v[0].x > v[1].x ? v[2].xy : pick(v[3].xy), 0.0);
  v[1] = textureGrad(sampler2D(many[i > 2 && v[0].x > v[1].x ? 1 : 0], s), pick(v[1].xy), v[1].xy, pick(v[2].xy));
  v[2].x = float(textureSize(sampler2D(t, s), i > 2 || pick(v[7].yx).x > 1.0 ? 1 : 0).x);
  v[3] = textureGather(sampler2D(t, s), pick(v[1].xy), 1);
}
