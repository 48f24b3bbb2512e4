#version 450
// Names from HLSL: the message gives those of GLSL.
layout(local_size_x = 1) in;
layout(binding = 0) buffer B {
  float d[];
  vec4 v;
} b;
groupshared float s[4];
StructuredBuffer t;
RWStructuredBuffer<float> u;
float4 f(float3 x) { return float4(x, 1.0); }
void main() {
  float3x4 m;
  half2 h;
  b.d[0] = lerp(1.0, 2.0, 0.5) + saturate(b.d[1]) + frac(b.d[2]) + rsqrt(2.0) + fmod(1.0, 2.0);
  b.v = mul(mat4(1.0), b.v);
  GroupMemoryBarrierWithGroupSync();
  InterlockedAdd(b.d[0], 1);
}
