// TensorStrideBelowDimension: strides that are too small for the dimensions that earlier calls gave the layout.
// RUN: coopc --target-env=vulkan1.3 %s
#version 460
#extension GL_KHR_cooperative_matrix : require
#extension GL_NV_cooperative_matrix2 : require
#extension GL_KHR_memory_scope_semantics : require
#extension GL_EXT_shader_explicit_arithmetic_types : require

layout(local_size_x = 32) in;
layout(constant_id = 0) const uint M = 16;
layout(set = 0, binding = 0) buffer Data { uint n; float16_t x[]; } data;

tensorLayoutNV<2> narrower(inout tensorLayoutNV<2> t) {
  t = setTensorLayoutDimensionNV(t, 8, 16);
  return t;
}

void main() {
  // One after the other, with the chain in one expression, and over another variable.
  tensorLayoutNV<2> t = createTensorLayoutNV(2);
  t = setTensorLayoutDimensionNV(t, 8, 64);
  t = setTensorLayoutStrideNV(t, 32, 1);
  t = setTensorLayoutStrideNV(t, 64, 1);
  t = setTensorLayoutStrideNV(setTensorLayoutDimensionNV(createTensorLayoutNV(2), 8, 64), 63, 1);
  tensorLayoutNV<2> other = setTensorLayoutDimensionNV(t, 8, 20);
  other = setTensorLayoutStrideNV(other, 39, 2);
  tensorLayoutNV<3> three = setTensorLayoutDimensionNV(createTensorLayoutNV(3), 4, 4, 8);
  three = setTensorLayoutStrideNV(three, 31, 8, 1);

  // Strides count blocks, of which the last may be incomplete.
  tensorLayoutNV<2> blocks = setTensorLayoutBlockSizeNV(createTensorLayoutNV(2), 1, 32);
  blocks = setTensorLayoutDimensionNV(blocks, 8, 65);
  blocks = setTensorLayoutStrideNV(blocks, 3, 1);
  blocks = setTensorLayoutStrideNV(blocks, 2, 1);

  // In a loop and a branch, where the layout is made there.
  for (uint i = 0; i < data.n; ++i) {
    tensorLayoutNV<2> inner = setTensorLayoutDimensionNV(createTensorLayoutNV(2), 8, 64);
    inner = setTensorLayoutStrideNV(inner, 60, 1);
    if (i > 2) {
      tensorLayoutNV<2> branch = setTensorLayoutDimensionNV(createTensorLayoutNV(2), 8, 48);
      branch = setTensorLayoutStrideNV(branch, 47, 1);
    }
  }

  // Not known: dimensions that are not constants, differ between branches, or are written by a function or before a jump;
  // dimensions that are not set, for which the specification has no minimum.
  t = setTensorLayoutDimensionNV(t, 8, data.n);
  t = setTensorLayoutStrideNV(t, 32, 1);
  t = setTensorLayoutDimensionNV(t, 8, M);
  t = setTensorLayoutStrideNV(t, 8, 1);
  t = setTensorLayoutDimensionNV(t, 8, 64);
  t = setTensorLayoutStrideNV(t, data.n, 1);
  if (data.n > 3) t = setTensorLayoutDimensionNV(t, 8, 16);
  t = setTensorLayoutStrideNV(t, 16, 1);
  t = setTensorLayoutDimensionNV(t, 8, 64);
  narrower(t);
  t = setTensorLayoutStrideNV(t, 16, 1);
  t = setTensorLayoutDimensionNV(t, 8, 64);
  t = setTensorLayoutStrideNV(narrower(t), 16, 1);
  t = setTensorLayoutDimensionNV(t, 8, 64);
  for (uint i = 0; i < data.n; ++i) {
    if (i > 0) t = setTensorLayoutStrideNV(t, 16, 1);
    t = setTensorLayoutDimensionNV(t, 8, 16);
  }
  t = setTensorLayoutDimensionNV(t, 8, 64);
  switch (data.n) {
    case 0:
      t = setTensorLayoutDimensionNV(t, 8, 64);
    case 1:
      t = setTensorLayoutStrideNV(t, 16, 1);
  }
  t = setTensorLayoutDimensionNV(t, 8, 64), t = setTensorLayoutDimensionNV(t, 8, 16), t = setTensorLayoutStrideNV(t, 16, 1);
  tensorLayoutNV<2> plain = createTensorLayoutNV(2);
  plain = setTensorLayoutStrideNV(plain, 16, 1);
}
