// CHECK-SPIRV
// GL_EXT_shader_16bit_storage has 16-bit vectors and no matrices: the names of matrices are free until an extension
// brings the types.
#version 460
#extension GL_EXT_shader_16bit_storage : require
layout(local_size_x = 1) in;
struct f16mat2x4 { f16vec4 a; f16vec4 b; };
layout(binding = 0) buffer In { f16mat2x4 x[]; };
#extension GL_EXT_shader_explicit_arithmetic_types_float16 : require
layout(binding = 1) buffer Out { f16mat2x4 y[]; };
layout(binding = 2) buffer Wide { mat2x4 z[]; };
void main() {
  y[0] = f16mat2x4(x[0].a, x[0].b);
  z[0] = mat2x4(y[1]);
}
