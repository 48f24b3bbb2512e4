// Accesses to tensors with wrong coordinates, data, operands and dimensions.
#version 460
#extension GL_ARM_tensors : require
layout(local_size_x = 1) in;
layout(set = 0, binding = 0) uniform tensorARM<int, 2> t;
layout(set = 0, binding = 1, std430) buffer Data { uint dimension; int value; };
void main() {
  const uint at[2] = uint[](1, 2);
  const uint one[1] = uint[](1);
  int v;
  tensorReadARM(t, one, v);
  tensorWriteARM(t, at, 1.0);
  tensorReadARM(t, at, v, gl_TensorOperandsOutOfBoundsValueARM, 1u);
  tensorReadARM(t, at, v, gl_TensorOperandsOutOfBoundsValueARM, value);
  tensorWriteARM(t, at, v, gl_TensorOperandsOutOfBoundsValueARM, 1);
  dimension = tensorSizeARM(t, 2);
  dimension = tensorSizeARM(t, dimension);
}
