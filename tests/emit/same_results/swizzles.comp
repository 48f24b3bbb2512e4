#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0, std430) readonly buffer In { float f[256]; int i[256]; uint u[256]; double d[256]; };
layout(set = 0, binding = 1, std430) buffer Out { vec4 v[640]; } o;
shared vec4 sv[64];
const float kTable[8] = float[8](1.0, 2.5, 4.0, 8.0, 16.0, -3.0, 0.5, 7.0);
const mat3 kMatrix = mat3(1, 2, 3, 4, 5, 6, 7, 8, 9);
mat4 build(float x) { return mat4(x) + mat4(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16); }
void main() {
  uint g = gl_GlobalInvocationID.x, l = gl_LocalInvocationIndex;
  vec4 t = vec4(f[g], f[g + 1], f[g + 2], f[g + 3]);
  uint k = u[g] & 3u;
  t.xy = t.yx;
  t.wz += t.xy;
  t[k] = 9.0;
  t.zyx[k % 3u] *= 2.0;
  o.v[g] = t.wzyx;
  o.v[g + 128] = vec4(t.zyx[k % 3u], t.xxyy.zw.y, t[k], kTable[u[g] & 7u]);
  mat4 m = build(t.x);
  m[k].yz = vec2(1.0, 2.0);
  m[1][k] = 3.0;
  o.v[g + 256] = m[k] + build(1.0)[k] + m * t + t * m + kMatrix[k % 3u].xyzz;
  sv[l] = t;
  barrier();
  sv[l ^ 1u].x = sv[l].y;
  barrier();
  sv[l].yw = vec2(1.0, float(l));
  sv[l].wzyx = sv[l];
  barrier();
  o.v[g + 384] = sv[63u - l];
  float s = t.x;
  o.v[g + 512] = s.xxxx + vec4(s.x) + vec4(t.xy, mat2(t)[1]) + mat2x4(m)[1] + vec4(mat3(m)[2], 1.0) + vec4(mat2(3.0));
}
