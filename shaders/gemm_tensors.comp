// D = A * B, where the matrices are tensors (GL_ARM_tensors): their sizes and strides come with their bindings. An invocation computes
// four consecutive columns of a row. Elements outside a tensor read as 0 and are not written, so that no size has to be a multiple
// of anything. For devices without tensors, lowering replaces them by buffers.
#version 460
#extension GL_ARM_tensors : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
#ifdef BFLOAT16
#extension GL_EXT_bfloat16 : require
#extension GL_ARM_tensors_bfloat16 : require
#define T bfloat16_t
#else
#define T float16_t
#endif

layout(local_size_x = 8, local_size_y = 8) in;

layout(set = 0, binding = 0) uniform readonly tensorARM<T, 2> A;      // rows x depth
layout(set = 0, binding = 1) uniform readonly tensorARM<T, 2> B;      // depth x columns
layout(set = 0, binding = 2) uniform writeonly tensorARM<float, 2> D;  // rows x columns

void main() {
  const uint row = gl_GlobalInvocationID.y, column = 4 * gl_GlobalInvocationID.x;
  const uint depth = tensorSizeARM(A, 1);
  float sum[4] = float[](0.0, 0.0, 0.0, 0.0);
  for (uint k = 0; k < depth; ++k) {
    T a, b[4];
    tensorReadARM(A, uint[](row, k), a);
    tensorReadARM(B, uint[](k, column), b, gl_TensorOperandsOutOfBoundsValueARM, T(0.0));
    for (uint n = 0; n < 4; ++n) sum[n] += float(a) * float(b[n]);
  }
  tensorWriteARM(D, uint[](row, column), sum);
}
