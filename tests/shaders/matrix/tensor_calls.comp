// Arguments of tensorReadARM, tensorWriteARM and tensorSizeARM (GL_ARM_tensors, 7.3.X and 8.X).
#version 460
#extension GL_ARM_tensors : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
layout(local_size_x = 1) in;
layout(constant_id = 0) const uint MASK = 0;
layout(constant_id = 1) const uint COUNT = 2;
layout(binding = 0) uniform tensorARM<int, 2> t;
layout(binding = 1) uniform readonly tensorARM<int, 1> r;
layout(binding = 2) uniform writeonly tensorARM<int, 1> w;
layout(binding = 3) uniform tensorARM<int, 1> many[2];
layout(binding = 4) uniform tensorARM<int, COUNT> spec;
layout(binding = 5) uniform writeonly image2D image;
layout(binding = 6) buffer B { uint mask; int value; };
void any(tensorARM<int, 1> tensor) { }
void main() {
  const uint at[2] = uint[](1, 2);
  const uint one[1] = uint[](1);
  uint unsized[];
  int v, row[4], table[2][2];
  const int fixed_value = 3;
  tensorReadARM(t, at);
  tensorReadARM(t, at, v, 0, 1, 2);
  tensorReadARM(image, at, v);
  tensorReadARM(many, one, v);
  tensorReadARM(t, uvec2(1, 2), v);
  tensorReadARM(t, int[](1, 2), v);
  tensorReadARM(t, one, v);
  tensorReadARM(spec, one, v);
  tensorReadARM(t, at, 1);
  tensorReadARM(t, at, fixed_value);
  tensorReadARM(t, at, mask);
  tensorReadARM(t, at, table);
  tensorWriteARM(t, at, 1.0);
  tensorWriteARM(t, at, uint[](1, 2));
  tensorWriteARM(t, at, vec2(1.0));
  tensorReadARM(w, one, v);
  tensorWriteARM(r, one, v);
  any(r);
  any(w);
  tensorReadARM(t, at, v, 1.0);
  tensorReadARM(t, at, v, mask);
  tensorReadARM(t, at, v, MASK);
  tensorReadARM(t, at, v, 4);
  tensorReadARM(t, at, v, -1);
  tensorReadARM(t, at, v, gl_TensorOperandsOutOfBoundsValueARM);
  tensorReadARM(t, at, v, gl_TensorOperandsNonTemporalARM, 1);
  tensorReadARM(t, at, v, gl_TensorOperandsOutOfBoundsValueARM, 1u);
  tensorReadARM(t, at, v, gl_TensorOperandsOutOfBoundsValueARM, value);
  tensorWriteARM(t, at, v, gl_TensorOperandsOutOfBoundsValueARM, 1);
  tensorSizeARM(t, 0);
  uint s = tensorSizeARM(t);
  s = tensorSizeARM(t, 2);
  s = tensorSizeARM(t, -1);
  s = tensorSizeARM(spec, 2);
  s = tensorSizeARM(t, mask);
  s = tensorSizeARM(t, 1.0);
  s = tensorSizeARM(v, 1);
}
