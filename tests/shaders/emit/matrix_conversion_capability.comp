// CHECK-SPIRV
// Converting a 16-bit matrix takes its columns out, which 16-bit storage alone does not allow: Float16 is declared.
#version 460
#extension GL_EXT_shader_explicit_arithmetic_types_float16 : require
layout(local_size_x = 1) in;
layout(binding = 0) buffer In { f16mat2x4 y[]; };
layout(binding = 1) buffer Wide { mat2x4 z[]; };
void main() { z[0] = mat2x4(y[1]); }
