// Measures matrix units and shared memory together: each subgroup multiplies A_TILES by B_TILES matrices of 16 rows or columns
// of 32 bytes again and again, with or without loading them from shared memory before each product. The loop has no reads of
// memory and no barrier, so it bounds every kernel that feeds matrix units from registers with the same share of loads.
// matrix_units.toml and matrix_units_s8.toml time it: cooprun tune bench/shaders/matrix_units.toml
//
// Macros: AB_TYPE, C_TYPE: component types of the operands and of the sums
//         DEPTH: the columns of A, which are 32 bytes
#version 460
#extension GL_KHR_cooperative_matrix : require
#extension GL_EXT_buffer_reference : require
#extension GL_EXT_scalar_block_layout : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
#extension GL_EXT_control_flow_attributes : require
#extension GL_KHR_memory_scope_semantics : require
#extension GL_KHR_shader_subgroup_basic : require
#ifndef AB_TYPE
#define AB_TYPE float16_t
#define C_TYPE float
#define DEPTH 16
#endif
layout(constant_id = 0) const uint A_TILES = 1;
layout(constant_id = 1) const uint B_TILES = 1;
layout(constant_id = 2) const uint LOAD_A = 1;
layout(constant_id = 3) const uint LOAD_B = 1;
layout(local_size_x = 256) in;
layout(buffer_reference, std430, buffer_reference_align = 16) writeonly buffer Result { C_TYPE x[]; };
layout(push_constant, scalar) uniform Parameters { Result o; uint turns; };
const uint kStride = 17;
shared uvec4 tile[128 * kStride];
#define ACCUMULATOR coopmat<C_TYPE, gl_ScopeSubgroup, 16, 16, gl_MatrixUseAccumulator>
#define OPERAND_A coopmat<AB_TYPE, gl_ScopeSubgroup, 16, DEPTH, gl_MatrixUseA>
#define OPERAND_B coopmat<AB_TYPE, gl_ScopeSubgroup, DEPTH, 16, gl_MatrixUseB>
void main() {
  for (uint i = gl_LocalInvocationIndex; i < 128 * kStride; i += 256) tile[i] = uvec4(i * 0x00010001u & 0x3fff3fffu);
  barrier();
  ACCUMULATOR sum[A_TILES * B_TILES];
  OPERAND_A a[A_TILES];
  OPERAND_B b[B_TILES];
  [[unroll]] for (uint i = 0; i < A_TILES * B_TILES; ++i) sum[i] = ACCUMULATOR(C_TYPE(0));
  [[unroll]] for (uint i = 0; i < A_TILES; ++i) {
    coopMatLoad(a[i], tile, i * 16 * kStride, kStride, gl_CooperativeMatrixLayoutRowMajor);
  }
  [[unroll]] for (uint i = 0; i < B_TILES; ++i) {
    coopMatLoad(b[i], tile, i * 16 * kStride, kStride, gl_CooperativeMatrixLayoutColumnMajor);
  }
  [[dont_unroll]] for (uint turn = 0; turn < turns; ++turn) {
    [[unroll]] for (uint k = 0; k < 8; ++k) {
      const uint base = (turn & 3) * 16 * kStride + k * 2;
      if (LOAD_A != 0) {
        [[unroll]] for (uint i = 0; i < A_TILES; ++i) {
          coopMatLoad(a[i], tile, base + i * 16 * kStride, kStride, gl_CooperativeMatrixLayoutRowMajor);
        }
      }
      if (LOAD_B != 0) {
        [[unroll]] for (uint i = 0; i < B_TILES; ++i) {
          coopMatLoad(b[i], tile, base + i * 16 * kStride, kStride, gl_CooperativeMatrixLayoutColumnMajor);
        }
      }
      [[unroll]] for (uint i = 0; i < A_TILES; ++i) {
        [[unroll]] for (uint j = 0; j < B_TILES; ++j) {
          sum[i * B_TILES + j] = coopMatMulAdd(a[i], b[j], sum[i * B_TILES + j]);
        }
      }
    }
  }
  [[unroll]] for (uint i = 0; i < A_TILES * B_TILES; ++i) {
    coopMatStore(sum[i], o.x, (gl_WorkGroupID.x * 8 + gl_SubgroupID) * 4096 + i * 256, 16, gl_CooperativeMatrixLayoutRowMajor);
  }
}
