// The maximum of each row of a matrix, written to every element of the row. Of the iterations of the loop, which carries two
// matrices, half leave them unchanged, on two paths.
#version 460

#extension GL_KHR_cooperative_matrix : require
#extension GL_NV_cooperative_matrix2 : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
#extension GL_EXT_shader_16bit_storage : require
#extension GL_KHR_memory_scope_semantics : require

layout(constant_id = 0) const uint ROWS = 32;
layout(constant_id = 1) const uint COLUMNS = 64;
layout(constant_id = 3) const uint BLOCK = 16;
layout(local_size_x_id = 2, local_size_y = 1, local_size_z = 1) in;

layout(set = 0, binding = 0, std430) readonly buffer Input { float16_t x[]; } source;
layout(set = 0, binding = 1, std430) buffer Output { float16_t x[]; } result;

layout(push_constant) uniform Parameters { uint rows; };

#define MATRIX coopmat<float16_t, gl_ScopeWorkgroup, ROWS, BLOCK, gl_MatrixUseAccumulator>

float16_t larger(const in float16_t x, const in float16_t y) { return max(x, y); }
float16_t largerOf(const in uint32_t row, const in uint32_t column, const in float16_t x, const in float16_t y) {
  return max(x, y);
}

void main() {
  tensorLayoutNV<2> t = createTensorLayoutNV(2);
  t = setTensorLayoutDimensionNV(t, rows, COLUMNS);
  const uint row = ROWS * gl_WorkGroupID.x;
  const uint steps = 4 * (COLUMNS / BLOCK);
  MATRIX values, ofBlock;
  MATRIX largest = MATRIX(float16_t(-1000));
  MATRIX taken = MATRIX(float16_t(0));  // iterations
  for (uint step_ = 0; step_ < steps; ++step_) {
    if (step_ % 4 == 1) continue;
    coopMatLoadTensorNV(values, source.x, 0, sliceTensorLayoutNV(t, row, ROWS, step_ / 4 * BLOCK, BLOCK));
    coopMatReduceNV(ofBlock, values, gl_CooperativeMatrixReduceRowNV, larger);
    if (step_ % 4 == 3) continue;
    coopMatPerElementNV(largest, largest, largerOf, ofBlock);
    taken = taken + MATRIX(float16_t(1));
  }
  largest = largest + (taken - MATRIX(float16_t(steps / 2)));
  for (uint column = 0; column < COLUMNS; column += BLOCK)
    coopMatStoreTensorNV(largest, result.x, 0, sliceTensorLayoutNV(t, row, ROWS, column, BLOCK));
}
