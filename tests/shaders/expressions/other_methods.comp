// Methods that textures and images have in HLSL and in Metal.
// RUN: coopc %s
#version 450
layout(local_size_x = 1) in;
layout(binding = 0) uniform sampler2D t;
layout(binding = 1) uniform texture2D u;
layout(binding = 2, rgba8) uniform image2D im;
layout(binding = 3) buffer B { vec4 v; float f[]; } b;
void main() {
  b.v = t.Sample(u, b.v.xy);
  b.v = t.SampleLevel(u, b.v.xy, 0);
  b.v = t.SampleGrad(u, b.v.xy, b.v.xy, b.v.xy);
  b.v = t.SampleBias(u, b.v.xy, 1.0);
  b.v.x = t.SampleCmp(u, b.v.xy, 1.0);
  b.v.x = t.SampleCmpLevelZero(u, b.v.xy, 1.0);
  b.v = t.Gather(u, b.v.xy);
  b.v = u.Load(ivec3(0));
  b.v = t.sample(u, b.v.xy);
  b.v = t.read(uvec2(0));
  b.v = im.Load(ivec2(0));
  im.Store(ivec2(0), b.v);
  im.write(b.v, uvec2(0));
  t.GetDimensions(b.v.x, b.v.y);
  im.GetDimensions(b.v.x, b.v.y);
  b.v.x = t.CalculateLevelOfDetail(u, b.v.xy);
  b.v.x = t.CalculateLevelOfDetailUnclamped(u, b.v.xy);
  b.v = t.GatherBlue(u, b.v.xy);
  b.v = t.Sample(missing, b.v.xy);
  b.f.Load(3);
  b.f.size();
}
