#version 450
// If only a semicolon is missing, the next statement is checked, also on the same line.
layout(local_size_x = 1) in
struct S { float x; }
layout(binding = 0) buffer B { float r; vec4 w; } b;
#define ONE 1.0
float f(float x) { return x; }
void early() {
  return
  if (unknown1 > 1) b.r = 1.0;
}
void stop() {
  return
}
float g(float x) { return x float y = unknown2; }
layout(local_size_y = 1) in layout(local_size_z = 1) in struct T { float x; } const float t = unknown25;
void main() {
  float m = 1.0, n = 0.0;
  vec4 v = vec4(0.0);
  f(m) m = unknown3(m);
  f(m) b.w[1].x += unknown4;
  f(m) f(unknown5);
  m = n int c = unknown6();
  m = n S s = S(unknown7);
  m = n if (unknown8) {}
  m = n for (int i = unknown9; i < 1; ++i) {}
  if (m > 1.0) m = 1.0 else m = unknown10;
  if (m > 1.0) m = 1.0 return unknown11;
  switch (c) {
    case 0: m = 1.0 break
    case 1: m = unknown12;
  }
  m = ONE
  m = unknown13;
  m = 1.0
  { m = unknown14; }
  float a = 1.0 m = unknown15;
  float d = 1.0 e = unknown16;
  d = e;
  float h = 1.0
  k = unknown17;
  d = k;
  for (int i = 0 i < unknown18; ++i) m += 1.0;
  for (int i = 0; i < 3 i += unknown19) m += 1.0;
  m = n half2 l = unknown20();
  d = l.x;
  for (int i = 0; i < 3 ++i) m += unknown22;
  f(m)
  ++unknown23;
  c++ m = unknown24;
  [unroll] for (int i = 0; i < 4; ++i) { m += unknown26; }
  [branch] if (m > unknown27) { m = 1.0; } else { m = unknown28; }
  UNROLL for (int i = 0; i < 4; ++i) { m += unknown21; }
}
