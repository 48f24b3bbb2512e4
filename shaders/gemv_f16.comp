// D = A * x with a row-major A: a product with a single column. Every element of A is used once, so memory bandwidth is the
// limit, and all that a shader can do is to keep many loads in flight: each subgroup has ROWS rows, and each of its invocations
// loads UNROLL vectors of 16 bytes of each row before it uses the first. x comes from the cache.
//
// M must be a multiple of ROWS * SUBGROUPS, K of UNROLL * SUBGROUP * 8.
#version 460

#extension GL_EXT_buffer_reference : require
#extension GL_EXT_scalar_block_layout : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
#extension GL_EXT_control_flow_attributes : require
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_arithmetic : require

layout(constant_id = 0) const uint ROWS = 2;
layout(constant_id = 1) const uint UNROLL = 4;
layout(constant_id = 2) const uint SUBGROUPS = 8;
layout(local_size_x_id = 3, local_size_y = 1, local_size_z = 1) in;
layout(constant_id = 4) const uint SUBGROUP = 32;  // invocations per subgroup

layout(buffer_reference, std430, buffer_reference_align = 16) readonly buffer Vectors { uvec4 x[]; };
layout(buffer_reference, std430, buffer_reference_align = 16) writeonly buffer Result { float x[]; };

layout(push_constant, scalar) uniform Parameters {
  Vectors a;
  Vectors b;
  Result d;
  uint m;
  uint k;
};

void main() {
  const uint row = (gl_WorkGroupID.x * SUBGROUPS + gl_SubgroupID) * ROWS;
  const uint stride = k / 8;
  float sum[ROWS];
  [[unroll]] for (uint r = 0; r < ROWS; ++r) sum[r] = 0;
  for (uint at = gl_SubgroupInvocationID; at < stride; at += UNROLL * SUBGROUP) {
    uvec4 vectors[ROWS * UNROLL];
    uvec4 factors[UNROLL];
    [[unroll]] for (uint i = 0; i < UNROLL; ++i) {
      [[unroll]] for (uint r = 0; r < ROWS; ++r) vectors[r * UNROLL + i] = a.x[(row + r) * stride + at + i * SUBGROUP];
      factors[i] = b.x[at + i * SUBGROUP];
    }
    [[unroll]] for (uint i = 0; i < UNROLL; ++i) {
      [[unroll]] for (uint part = 0; part < 4; ++part) {
        const vec2 y = unpackHalf2x16(factors[i][part]);
        [[unroll]] for (uint r = 0; r < ROWS; ++r) {
          const vec2 x = unpackHalf2x16(vectors[r * UNROLL + i][part]);
          sum[r] = fma(x.y, y.y, fma(x.x, y.x, sum[r]));
        }
      }
    }
  }
  [[unroll]] for (uint r = 0; r < ROWS; ++r) {
    const float total = subgroupAdd(sum[r]);
    if (gl_SubgroupInvocationID == 0) d.x[row + r] = total;
  }
}
