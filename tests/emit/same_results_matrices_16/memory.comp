// Loads and stores: strides, offsets, layouts by specialization constants, element types other than the components', rows of
// arrays, shared memory, buffer references.
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
#extension GL_EXT_buffer_reference : require
#extension GL_EXT_shader_explicit_arithmetic_types_int64 : require
layout(constant_id = 1) const int LAYOUT = 0;
layout(constant_id = 2) const uint SIDE = 16;
layout(set = 0, binding = 1) buffer Rows { float x[16][256]; } rows;
layout(set = 0, binding = 1) buffer Vectors { vec4 x[1024]; } vectors;
layout(set = 0, binding = 0) readonly buffer InVectors { vec4 x[64]; } inVectors;
layout(buffer_reference, std430, buffer_reference_align = 16) buffer Memory { float x[1024]; };
layout(push_constant) uniform Push { float p[8]; uint n[8]; Memory memory; } push;
shared float tile[2][512];
shared uvec2 words[128];

void main() {
  coopmat<float, gl_ScopeSubgroup, SIDE, (SIDE * 2 - 16), gl_MatrixUseAccumulator> m;
  coopMatLoad(m, in_.f, 3 - 3, 8, LAYOUT);
  coopMatStore(m, floats.x, base, 16, 1 - LAYOUT);
  coopMatLoad(m, in_.f, in_.u[0] % 4u * 8u, 12, kRow);
  coopMatStore(m, floats.x, base + 256, SIDE, kRow);
  coopMatLoad(m, inVectors.x, 4, 2, kRow);
  coopMatStore(m, vectors.x, base / 4 + 128, 4, kRow);
  coopMatStore(m, rows.x[base / 256 + 3], 0, 16, kColumn);
  coopMatStore(m, tile[gl_WorkGroupID.x], 8, 20, kRow);
  barrier();
  coopMatLoad(m, tile[gl_WorkGroupID.x], 8, 20, kColumn);
  coopMatStore(m, rows.x[base / 256 + 4], 0, 16, kRow);
  coopMatStore(m, words, 0, 8, kRow);
  barrier();
  floats.x[base + 1280 + gl_LocalInvocationIndex] = uintBitsToFloat(words[gl_LocalInvocationIndex * 4].y);
  Memory memory = push.memory;
  if (gl_WorkGroupID.x == 1u) {
    coopMatStore(m, memory.x, 16, 24, kRow);
    coopMatLoad(m, memory.x, 16, 24, kRow);
    coopMatStore(m, floats.x, base + 1536, 16, kRow);
  }
}
