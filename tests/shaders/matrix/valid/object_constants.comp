// Operators, conversions, components and built-in functions of constant cooperative vectors and matrices are constant
// expressions (GLSL 4.60, 4.3.3), and so are those of long vectors.
// RUN: coopc --target-env=vulkan1.3 %s
// CHECK-SPIRV
#version 460
#extension GL_KHR_cooperative_matrix : require
#extension GL_NV_cooperative_vector : require
#extension GL_EXT_long_vector : require
#extension GL_KHR_memory_scope_semantics : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
layout(local_size_x = 32) in;
layout(set = 0, binding = 0) buffer Data { float x[]; } data;
layout(constant_id = 0) const int N = 4;

const coopvecNV<float, 4> one = coopvecNV<float, 4>(1, 2, 3, 4);
const coopvecNV<float, 4> two = max(-one * 2.0 + one, coopvecNV<float, 4>(-2.5));
const coopvecNV<int, 4> three = coopvecNV<int, 4>(two) << coopvecNV<int, 4>(2);
const float part = one[2] + two[3];
const coopvecNV<float, N> four = coopvecNV<float, N>(2.0) / coopvecNV<float, N>(4.0);
#define MAT(T) coopmat<T, gl_ScopeSubgroup, 16, 16, gl_MatrixUseAccumulator>
const MAT(float) m = -MAT(float)(3.0) * 2.0 + MAT(float)(1.0);
const MAT(int) n = MAT(int)(m) / MAT(int)(2);
const vector<float, 5> long_ = clamp(vector<float, 5>(1, 2, 3, 4, 5), vector<float, 5>(2.0), vector<float, 5>(4.0));
const coopvecNV<float, 2000> wide = coopvecNV<float, 2000>(1.5) * 2.0;
const coopvecNV<float, N> five = max(four, coopvecNV<float, N>(3.0));
const float far = wide[1999] + max(wide, coopvecNV<float, 2000>(4.0))[1500];

void main() {
  float list[int(part) + 1];
  list[0] = two[gl_LocalInvocationIndex & 3u] + float(three[1]) + four[1];
  float more[int(long_[0])];
  more[1] = list[0];
  coopVecStoreNV(two, data.x, 0);
  coopMatStore(m, data.x, 0, 16, gl_CooperativeMatrixLayoutRowMajor);
  coopMatStore(n, data.x, 0, 16, gl_CooperativeMatrixLayoutRowMajor);
  data.x[more.length()] = more[1] + far + five[1];
}
