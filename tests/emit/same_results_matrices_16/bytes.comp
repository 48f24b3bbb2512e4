// Bytes: from words of the buffer, made by shifts, signed and unsigned; K is 32.
#version 460
#extension GL_KHR_cooperative_matrix : require
#extension GL_NV_cooperative_matrix2 : require
#extension GL_KHR_memory_scope_semantics : require
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
layout(local_size_x = 32) in;
layout(set = 0, binding = 0) readonly buffer In { float f[256]; int i[256]; uint u[256]; } in_;
layout(set = 0, binding = 1) buffer Floats { float x[4096]; } floats;
layout(set = 0, binding = 1) buffer Ints { int x[4096]; } ints;
#define ACC(T) coopmat<T, gl_ScopeSubgroup, 16, 16, gl_MatrixUseAccumulator>
#define LEFT(T, K) coopmat<T, gl_ScopeSubgroup, 16, K, gl_MatrixUseA>
#define RIGHT(T, K) coopmat<T, gl_ScopeSubgroup, K, 16, gl_MatrixUseB>
const int kRow = gl_CooperativeMatrixLayoutRowMajor, kColumn = gl_CooperativeMatrixLayoutColumnMajor;
uint base = gl_WorkGroupID.x * 2048;
layout(set = 0, binding = 3, r32f) uniform image2D image;
shared uint words[2][128];
void main() {
  for (uint k = gl_LocalInvocationIndex; k < 128u; k += 32u) {
    uint w = 0u;
    for (uint j = 0u; j < 4u; ++j) w |= ((in_.u[k] + j * 7u) % 11u) << (8u * j);
    words[0][k] = w;
    words[1][k] = w ^ 0xFF00FF00u;
  }
  barrier();
  LEFT(uint8_t, 32) a;
  RIGHT(uint8_t, 32) b;
  coopMatLoad(a, words[0], 0, 8, kRow);
  coopMatLoad(b, words[0], 0, 8, kColumn);
  LEFT(int8_t, 32) sa;
  RIGHT(int8_t, 32) sb;
  coopMatLoad(sa, words[1], 0, 8, kRow);
  coopMatLoad(sb, words[0], 0, 4, kRow);
  ACC(uint) c = coopMatMulAdd(a, b, ACC(uint)(5));
  ACC(int) d = coopMatMulAdd(sa, sb, ACC(int)(-5));
  coopMatStore(c, ints.x, base, 16, kRow);
  coopMatStore(d, ints.x, base + 256, 16, kColumn);
  d = coopMatMulAdd(sa, sb, d);
  for (int k = 0; k < 3; ++k) c = coopMatMulAdd(a, b, c);
  coopMatStore(d * 3 - ACC(int)(c), ints.x, base + 512, 16, kRow);
  coopMatStore(ACC(float)(c), floats.x, base + 768, 16, kRow);
  if (gl_LocalInvocationIndex < 16u)
    imageStore(image, ivec2(gl_LocalInvocationIndex, gl_WorkGroupID.x), vec4(float(words[1][gl_LocalInvocationIndex] & 255u)));
}
