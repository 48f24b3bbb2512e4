// GL_ARM_tensors: types of all ranks and elements, arrays of tensors, parameters, reads and writes of scalars and arrays, operands.
// RUN: coopc --target-env=vulkan1.3 %s
// VALIDATE: newest the linked SPIRV-Tools does not know SPV_ARM_tensors
// CHECK-SPIRV
#version 460
#extension GL_ARM_tensors : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
#extension GL_EXT_nonuniform_qualifier : require
layout(local_size_x = 8) in;
layout(constant_id = 3) const uint RANK = 2;
layout(set = 0, binding = 0) uniform readonly tensorARM<float16_t, 1> halves;
layout(set = 0, binding = 1) uniform writeonly tensorARM<int8_t, 4> bytes;
layout(set = 0, binding = 2) uniform tensorARM<int, 2> ints[4];
layout(set = 0, binding = 3) uniform tensorARM<bool, 2> flags;
layout(set = 1, binding = 0) uniform restrict tensorARM<float64_t, RANK> doubles[];
layout(set = 1, binding = 1) uniform coherent tensorARM<uint64_t, (1 + 4)> words;
layout(set = 0, binding = 4, std430) buffer Out { int read[2]; uint size; } result;

int at(readonly tensorARM<int, 2> t, uint c[2]) {
  int v;
  tensorReadARM(t, c, v);
  return v;
}

void main() {
  const uint i = gl_GlobalInvocationID.x;
  float16_t one, several[4];
  tensorReadARM(halves, uint[](i), one);
  tensorReadARM(halves, uint[](i), several,
                gl_TensorOperandsOutOfBoundsValueARM | gl_TensorOperandsNonTemporalARM, float16_t(2.0));
  const int8_t b = int8_t(one + several[1]);
  tensorWriteARM(bytes, uint[](0, i, 2, 3), b, gl_TensorOperandsNonTemporalARM);
  int8_t row[3] = int8_t[](b, b, b);
  tensorWriteARM(bytes, uint[](0, 1, i, 3), row);
  const int a = at(ints[i & 3], uint[2](tensorSizeARM(ints[1], 1), 3));
  tensorWriteARM(ints[0], uint[2](1, 2), a);
  bool f;
  tensorReadARM(flags, uint[2](1, 2), f);
  tensorWriteARM(flags, uint[2](1, 2), !f);
  uint place[RANK];
  for (uint k = 0; k < RANK; ++k) place[k] = i;
  float64_t d;
  tensorReadARM(doubles[nonuniformEXT(i)], place, d);
  tensorWriteARM(doubles[2], place, d + 1.0LF);
  uint64_t w;
  tensorReadARM(words, uint[5](1, 2, 3, 4, 5), w);
  tensorWriteARM(words, uint[5](1, 2, 3, 4, 5), w);
  // Data straight into a buffer, whose arrays have another layout.
  tensorReadARM(ints[0], uint[2](3, 4), result.read);
  result.size = tensorSizeARM(doubles[1], RANK - 1);
}
