// ENV: vulkan1.3
// ENV: vulkan1.0
#version 450
layout(local_size_x = 16) in;
struct F { bool one; bvec2 two; bool list[3]; };
layout(set = 0, binding = 0, std430) readonly buffer In { float f[256]; int i[256]; uint u[256]; double d[256]; };
layout(set = 0, binding = 1, std430) buffer Out { bool flags[64]; bvec4 v[32]; F f2[32]; uint r[256]; } o;
shared bool sh[16];
F make(bool x) { F t; t.one = x; t.two = bvec2(x, !x); t.list = bool[3](x, false, true); return t; }
void main() {
  uint g = gl_GlobalInvocationID.x, l = gl_LocalInvocationIndex;
  bool p = f[g] > 0.0, q = i[g] > 0;
  sh[l] = p;
  barrier();
  o.flags[g] = sh[15u - l];
  o.v[g] = bvec4(p, q, p && q, p || q);
  o.v[g].zw = not(o.v[g].xy);
  o.f2[g] = make(q);
  o.f2[g].list[u[g] % 3u] = p;
  // (The reference compiler cannot load a structure with booleans from a buffer.)
  F copy = make(q);
  copy.list[u[g] % 3u] = p;
  copy.two.x = p ^^ q;
  o.r[g] = uint(copy.list[1]) + uint(copy.two.x) * 2u + uint(copy.list[2] == o.f2[g].list[2]) * 4u + uint(any(o.v[g])) * 8u + uint(all(o.v[g].xy)) * 16u;
  bool list[3] = copy.list;
  list[2] = list[0] == q;
  o.f2[g].list = list;
  o.r[g + 32] = uint(mix(1.0, 2.0, p)) + uint(p ? q : sh[0]) * 4u;
  bvec3 three = lessThan(vec3(f[g], f[g + 1], f[g + 2]), vec3(0.5));
  o.r[g + 64] = uint(three.x) + uint(three.y) * 2u + uint(three.z) * 4u + uint(three == bvec3(true)) * 8u;
}
