// CHECK-SPIRV
// Scalars beside cooperative vectors are converted to their component type.
#version 460
#extension GL_NV_cooperative_vector : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
layout(local_size_x = 1) in;
layout(set = 0, binding = 0) buffer D { int n; float f; float16_t h; };
void main() {
  coopvecNV<float, 4> v = coopvecNV<float, 4>(vec4(1, 2, 3, 4));
  v = v * n;
  v *= h;
  coopvecNV<float, 4> w = v * 2;
  f = v[0] + w[1];
}
