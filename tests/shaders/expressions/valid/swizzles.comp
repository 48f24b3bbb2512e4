// CHECK-SPIRV
#version 460
// Components as values and as l-values (5.5), indexing, lengths.
layout(local_size_x = 1) in;
layout(set = 0, binding = 0, std430) buffer Data { vec4 v; float f; mat3 m; int n; float rest[]; } b;
void main() {
  vec4 v = b.v;
  v.zy = v.xy;
  v.wzyx.xy = vec2(1);
  v.rgb.g += 2.0;
  v.stpq.q = v.pp.y;
  b.v.xzw = v.zzz;
  b.f = b.f.x + b.f.xx.y;
  b.f.x = 1.0;
  v[b.n] = v[2];
  b.m[b.n][1] = b.m[1].z;
  b.m[0].xy = b.m[2].yz;
  b.n = b.rest.length() + v.length() + b.m.length();
  v.xy++;
  b.v.zw *= 2;
  b.rest[b.n] = (b.n > 0 ? v : b.v).w;
}
