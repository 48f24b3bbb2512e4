// Loads and stores: strides, offsets, layouts by specialization constants, element types other than the components', rows of
// arrays, shared memory.
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
layout(constant_id = 0) const int LAYOUT = 1;
layout(constant_id = 1) const uint SIDE = 8;
layout(set = 0, binding = 1) buffer Vectors { vec4 x[1024]; } vectors;
layout(set = 0, binding = 1) buffer Rows { float x[16][256]; } rows;
layout(set = 0, binding = 0) readonly buffer InVectors { vec2 x[64]; } inVectors;
shared float tile[2][128];
shared uvec2 words[64];

void main() {
  coopmat<float, gl_ScopeSubgroup, SIDE, (SIDE * 2 - 8), gl_MatrixUseAccumulator> m;
  coopMatLoad(m, in_.f, 3 - 3, 8, LAYOUT);
  coopMatStore(m, floats.x, base, 8, 1 - LAYOUT);
  coopMatLoad(m, in_.f, in_.u[0] % 4u * 8u, 16, kRow);
  coopMatStore(m, floats.x, base + 64, SIDE, kRow);
  coopMatLoad(m, in_.f, 16, 0, kRow);
  coopMatStore(m, floats.x, base + 128, 8, kRow);
  coopMatLoad(m, inVectors.x, 4, 4, kRow);
  coopMatStore(m, vectors.x, base / 4 + 48, 2, kRow);
  coopMatStore(m, rows.x[base / 256 + 1], 0, 8, kColumn);
  coopMatStore(m, tile[gl_WorkGroupID.x], 8, 12, kRow);
  barrier();
  coopMatLoad(m, tile[gl_WorkGroupID.x], 8, 12, kColumn);
  coopMatStore(m, rows.x[base / 256 + 2], 16, 8, kRow);
  coopMatStore(m, words, 0, 4, kRow);
  barrier();
  floats.x[base + 1000 + gl_LocalInvocationIndex] = uintBitsToFloat(words[gl_LocalInvocationIndex * 4].y);
}
