// Wrong numbers of arguments, results that cannot be written, arguments that are not buffers.
#version 460
#extension GL_KHR_cooperative_matrix : require
#extension GL_KHR_memory_scope_semantics : require
#extension GL_NV_cooperative_matrix2 : require
layout(local_size_x = 32) in;
layout(set = 0, binding = 0) buffer D { float x[]; };
#define C coopmat<float, gl_ScopeSubgroup, 16, 16, gl_MatrixUseAccumulator>
float add(const in float a, const in float b) { return a + b; }
float same(const in uint row, const in uint column, const in float v) { return v; }
struct S { float x[4]; };
S made() { return S(float[4](1, 2, 3, 4)); }
float[4] list() { return float[4](1, 2, 3, 4); }
void main() {
  C c = C(1);
  const C k = C(2);
  C r;
  coopMatReduceNV(r, c, gl_CooperativeMatrixReduceRowNV);
  coopMatReduceNV(r, c, gl_CooperativeMatrixReduceRowNV, add, 1);
  coopMatReduceNV(C(1), c, gl_CooperativeMatrixReduceRowNV, add);
  coopMatReduceNV(k, c, gl_CooperativeMatrixReduceRowNV, add);
  coopMatPerElementNV(C(1), c, same);
  coopMatPerElementNV(k, c, same);
  coopMatPerElementNV(r, k, same);
  coopMatPerElementNV(r, c);
  coopMatTransposeNV(k, c);
  coopMatLoad(r, list(), 0, 16, 0);
  coopMatLoad(r, (x), 0, 16, 0);
  coopMatLoad(r, made().x, 0, 16, 0);
  coopMatLoad(r, true ? x : x, 0, 16, 0);
  coopMatLoad(k, x, 0, 16, 0);
  tensorLayoutNV<2> l = createTensorLayoutNV(2);
  coopMatLoadTensorNV(1.0, x, 0, l);
  coopMatStoreTensorNV(1.0, x, 0, l);
  coopMatLoadTensorNV(k, x, 0, l);
}
