// Unpacks four-bit blocks, as gemm_fast_subgroup.comp describes them, to a row-major matrix of halves. If a product has many
// columns, unpacking once and multiplying halves is faster than decoding in each load. Each invocation unpacks eight numbers.
#version 460

#extension GL_EXT_buffer_reference : require
#extension GL_EXT_scalar_block_layout : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
#extension GL_EXT_shader_16bit_storage : require
#extension GL_EXT_control_flow_attributes : require

layout(local_size_x = 256) in;

layout(buffer_reference, std430, buffer_reference_align = 16) readonly buffer Blocks { uvec4 x[]; };
layout(buffer_reference, std430, buffer_reference_align = 16) readonly buffer Scales { float16_t x[]; };
layout(buffer_reference, std430, buffer_reference_align = 16) writeonly buffer Halves { uvec4 x[]; };

layout(push_constant, scalar) uniform Parameters {
  Blocks a;
  Scales scales;
  Halves d;
  uint blocks;
};

void main() {
  // Four invocations share a block, so that neighboring invocations store to neighboring addresses.
  const uint id = gl_GlobalInvocationID.x;
  if (id / 4 >= blocks) return;
  const uint word = a.x[id / 4][id % 4];
  const float16_t scale = scales.x[id / 4];
  uvec4 result;
  [[unroll]] for (uint i = 0; i < 4; ++i) {
    // The half with the bits 0x6400 + x has the value 1024 + x if x is below 1024.
    const f16vec2 two = unpackFloat2x16((word >> (4 * i) & 0x000f000fu) | 0x64006400u) - float16_t(1024 + 8);
    result[i] = packFloat2x16(two * scale);
  }
  d.x[id] = result;
}
