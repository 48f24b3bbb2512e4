// Letters of two sets, in each order; each letter alone.
#version 460
layout(local_size_x = 1) in;
layout(set = 0, binding = 0) buffer B { vec4 v; float f; };
void main() {
  f = v.x + v.y + v.z + v.w + v.r + v.g + v.b + v.a + v.s + v.t + v.p + v.q;
  vec2 a[] = vec2[](v.rx, v.ry, v.rz, v.rw, v.sx, v.sy, v.sz, v.sw);
  vec2 b[] = vec2[](v.xr, v.xg, v.xb, v.xa, v.sr, v.sg, v.sb, v.sa);
  vec2 c[] = vec2[](v.xs, v.xt, v.xp, v.xq, v.rs, v.rt, v.rp, v.rq);
}
