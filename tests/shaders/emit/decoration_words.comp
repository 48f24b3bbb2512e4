// Each of the members that share a declaration gets its decorations: a short text makes a large module.
#version 450
#extension GL_EXT_spirv_intrinsics : require
layout(local_size_x = 1) in;
#define FOUR(x) x x x x
#define SIXTEEN(x) FOUR(x) FOUR(x) FOUR(x) FOUR(x)
#define WORDS 0, 1, 2, 3, 4, 5, 6, 7
#define MORE WORDS, WORDS, WORDS, WORDS, WORDS, WORDS, WORDS, WORDS
#define R spirv_decorate(0, MORE, MORE, MORE, MORE, MORE, MORE, MORE, MORE, MORE, MORE, MORE, MORE, MORE, MORE, MORE, MORE)
struct S {
  FOUR(SIXTEEN(R)) float a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v, w, x, y, z, a1, b1, c1, d1, e1, f1, g1,
      h1, i1, j1, k1, l1, m1, n1, o1, p1, q1, r1, s1, t1, u1, v1, w1, x1, y1, z1, a2, b2, c2, d2, e2, f2, g2, h2, i2, j2, k2, l2;
};
layout(set = 0, binding = 0) buffer Block { S s; };
void main() { s.a = 1.0; }
