// Matrices in structures and arrays, nested, by every parameter direction, as results and after a comma. (Matrices chosen by ?:
// are in another test, because the reference compiler's module for them is not valid.)
#version 460
#extension GL_KHR_cooperative_matrix : require
#extension GL_NV_cooperative_matrix2 : require
#extension GL_KHR_memory_scope_semantics : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
layout(local_size_x = 8) in;
layout(set = 0, binding = 0) readonly buffer In { float f[256]; int i[256]; uint u[256]; } in_;
layout(set = 0, binding = 1) buffer Floats { float x[4096]; } floats;
layout(set = 0, binding = 1) buffer Ints { int x[4096]; } ints;
#define ACC(T) coopmat<T, gl_ScopeSubgroup, 8, 8, gl_MatrixUseAccumulator>
#define LEFT(T) coopmat<T, gl_ScopeSubgroup, 8, 8, gl_MatrixUseA>
#define RIGHT(T) coopmat<T, gl_ScopeSubgroup, 8, 8, gl_MatrixUseB>
const int kRow = gl_CooperativeMatrixLayoutRowMajor, kColumn = gl_CooperativeMatrixLayoutColumnMajor;
uint base = gl_WorkGroupID.x * 2048;
struct Inner { ACC(float) m[2]; float k; };
struct Outer { Inner in_[2]; int z; ACC(float) last; };

Outer make(float v) {
  Outer o;
  for (int a = 0; a < 2; ++a) {
    for (int b = 0; b < 2; ++b) o.in_[a].m[b] = ACC(float)(v + float(2 * a + b));
    o.in_[a].k = v * float(a);
  }
  o.z = 3;
  o.last = ACC(float)(v);
  return o;
}

ACC(float) early(ACC(float) m, float v) {
  if (v > 0.0) return m * v;
  if (v < -2.0) return -m;
  return m + ACC(float)(1.0);
}

void change(inout Outer o, const in Inner i, out ACC(float) r[2], inout ACC(float) single) {
  o.in_[1].m[1] += i.m[0];
  o.in_[0].m[0] *= 2.0;
  r = o.in_[0].m;
  single -= r[1];
  o.in_[0] = i;
}

void main() {
  ACC(float) a;
  coopMatLoad(a, in_.f, 8, 8, kRow);
  Outer o = make(in_.f[3]);
  o.in_[1].m[0] = a;
  Inner i = o.in_[1];
  ACC(float) r[2];
  change(o, i, r, o.last);
  for (int k = 0; k < 2; ++k) {
    coopMatStore(o.in_[k].m[0], floats.x, base + 128 * k, 8, kRow);
    coopMatStore(o.in_[k].m[1], floats.x, base + 128 * k + 64, 8, kColumn);
    coopMatStore(r[k], floats.x, base + 256 + 64 * k, 8, kRow);
  }
  coopMatStore(o.last, floats.x, base + 384, 8, kRow);
  ACC(float) c = r[0];
  c = (a += c, c - a);
  coopMatStore(c, floats.x, base + 448, 8, kRow);
  for (int k = 0; k < 6; ++k) {
    ACC(float) given = a;
    if (k % 2 != 0) given = c;
    const ACC(float) e = early(given, in_.f[k]);
    coopMatStore(e + a, floats.x, base + 512 + 64 * k, 8, kRow);
  }
}
